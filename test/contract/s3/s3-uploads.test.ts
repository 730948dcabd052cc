/** @module-tag full */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileArea } from '../../../src/core/shared/files/file-area.ts';
import type { UploadFiles } from '../../../src/core/uploads/ports.ts';
import type { UploadPlace } from '../../../src/core/uploads/upload.ts';
import { HashThread } from '../../../src/files/hashes/hash-thread.ts';
import { Bucket } from '../../../src/files/s3/client/bucket.ts';
import { objectArea } from '../../../src/files/s3/object-area.ts';
import { sweepObjects } from '../../../src/files/s3/sweep-objects.ts';
import { objectUploads } from '../../../src/files/s3/uploads/object-uploads.ts';
import { localUploads } from '../../../src/files/uploads/upload-files.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import { SqlObjectUploadRecords } from '../../../src/sql/uploads/object-uploads.ts';
import { listKeys, listMultipartUploads } from '../../support/s3/list-bucket.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { s3Servers } from '../../support/s3/servers.ts';
import { engines } from '../fixtures/engines.ts';
import { chunks, read } from '../suites/file-area.ts';

const mib = 2 ** 20;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const placeOf = (system: UploadPlace['system'] = 'games'): UploadPlace => {
  return { system, folder: randomUUID(), filename: 'a b.zip' };
};

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('broken');
}

const suite = ({ start, engines: used }: (typeof s3Servers)[number]) => {
  const tmp = mkdtempSync(join(tmpdir(), 'catalog-s3-uploads-'));
  let server: S3Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(tmp, { recursive: true });
  });

  // The suite does not run on all engines, because object-records.test.ts compares the rows on
  // every engine.
  describe.each(engines.slice(0, used))('with $name', (one) => {
    let engine: Engine;
    let close: () => Promise<void>;
    let bucket: Bucket;
    let records: SqlObjectRecords;
    let files: UploadFiles;
    let area: FileArea;
    let keys: () => Promise<string[]>;
    let openParts: () => Promise<string[]>;
    beforeAll(async () => {
      ({ engine, close } = await one.open());
      const address = await server.newBucket();
      bucket = new Bucket(address);
      keys = () => listKeys(address);
      openParts = () => listMultipartUploads(address);
      records = new SqlObjectRecords({ engine });
      files = instance();
      area = objectArea({ area: 'games', bucket, records, hashes: new HashThread(), tmp });
    });
    afterAll(async () => {
      await close();
      await bucket?.close();
    });

    const instance = () =>
      objectUploads({ bucket, records, uploads: new SqlObjectUploadRecords({ engine }), tmp });

    /** Sends the bytes in chunks of these sizes. Each chunk goes through a different instance. */
    async function send(place: UploadPlace, bytes: Uint8Array, ...sizes: number[]): Promise<void> {
      let at = 0;
      for (const size of sizes) {
        await instance().append(place, at, chunks(bytes.subarray(at, at + size), 100_000));
        at += size;
      }
      expect(at).toBe(bytes.byteLength);
    }

    async function contentOf(place: UploadPlace): Promise<Buffer | null> {
      const file = await files.open(place);
      return file && buffer(file.stream());
    }

    test.each([
      ['one chunk', [3]],
      ['small chunks', [1, 2, 3]],
      ['chunks that are large enough for parts', [9 * mib, 8 * mib, 5]],
      ['a small chunk before large ones', [100_000, 9 * mib, 9 * mib, 7]],
      ['chunks that are large enough for parts together', [5 * mib, 5 * mib, 5 * mib, mib]],
      ['more small chunks than may stay separate', Array.from({ length: 34 }, () => 11)],
    ])('become a file of the area when sent in %s', async (_how, sizes) => {
      const bytes = randomBytes(sizes.reduce((sum, size) => sum + size));
      const place = placeOf();
      await send(place, bytes, ...sizes);
      expect(await files.has(place)).toBe(true);
      expect((await contentOf(place))?.equals(bytes)).toBe(true);
      const version = { size: bytes.byteLength, sha256: sha256(bytes) };
      const staged = await instance().stage(place, version);
      const stored = await staged.publish('a.zip');
      expect(stored).toMatchObject({ name: 'a.zip', size: bytes.byteLength });
      expect(await area.find('a.zip')).toEqual(stored);
      expect((await read(area, 'a.zip')).equals(bytes)).toBe(true);
      expect(await files.has(place)).toBe(false);
      await area.remove('a.zip');
      while ((await sweepObjects(bucket, records, -1)) > 0);
      await expect.poll(keys).toEqual([]);
      expect(await openParts()).toEqual([]);
    });

    test('become an empty file if they have no bytes', async () => {
      const place = placeOf();
      await files.append(place, 0, chunks(Buffer.alloc(0)));
      expect(await contentOf(place)).toHaveLength(0);
      const staged = await files.stage(place, { size: 0, sha256: sha256(Buffer.alloc(0)) });
      await staged.publish('empty');
      expect(await read(area, 'empty')).toHaveLength(0);
    });

    test('replace the leftovers of an interrupted chunk or of a crash', async () => {
      const place = placeOf();
      const bytes = randomBytes(18 * mib);
      await files.append(place, 0, chunks(bytes.subarray(0, 9 * mib)));
      await expect(files.append(place, 9 * mib, broken())).rejects.toThrow('broken');
      await files.append(place, 9 * mib, chunks(randomBytes(8 * mib))); // as before a crash
      await files.append(place, 9 * mib, chunks(bytes.subarray(9 * mib, 9 * mib + 10)));
      await files.append(place, 9 * mib, chunks(bytes.subarray(9 * mib)));
      expect((await contentOf(place))?.equals(bytes)).toBe(true);
      expect(readdirSync(tmp)).toEqual([]);
    });

    test('start again when bytes are sent at offset 0', async () => {
      const place = placeOf();
      await files.append(place, 0, chunks(randomBytes(9 * mib)));
      await files.append(place, 0, chunks(Buffer.from('anew')));
      expect((await contentOf(place))?.toString()).toBe('anew');
    });

    test('are refused if bytes before the offset of a chunk are missing', async () => {
      const [short, gone] = [placeOf(), placeOf()];
      const refused = { message: 'damaged upload' };
      await files.append(short, 0, chunks(Buffer.from('one')));
      await expect(files.append(short, 4, chunks(Buffer.from('x')))).rejects.toMatchObject(refused);
      await expect(files.append(gone, 4, chunks(Buffer.from('x')))).rejects.toMatchObject(refused);
      await expect(files.stage(gone, { size: 1, sha256: '' })).rejects.toMatchObject(refused);
      expect(await files.open(gone)).toBeNull();
      expect((await contentOf(short))?.toString()).toBe('one');
    });

    test('cannot be staged if a piece is missing', async () => {
      const place = placeOf();
      const bytes = randomBytes(9);
      await send(place, bytes, 3, 3, 3);
      await engine.write((trx) =>
        trx
          .deleteFrom('object_piece')
          .where('folder', '=', place.folder)
          .where('start', '=', 3)
          .execute(),
      );
      const staged = files.stage(place, { size: 9, sha256: sha256(bytes) });
      await expect(staged).rejects.toMatchObject({ message: 'damaged upload' });
      await files.remove(place);
    });

    test('cannot be published after their removal, and are not restored', async () => {
      const place = placeOf();
      await files.append(place, 0, chunks(Buffer.from('removed')));
      const staged = await files.stage(place, { size: 7, sha256: '' });
      await instance().remove(place);
      await expect(staged.publish('removed')).rejects.toMatchObject({ message: 'damaged upload' });
      await staged.takeBack();
      await staged.discard();
      expect([await area.find('removed'), await files.has(place)]).toEqual([null, false]);
    });

    test('drop a chunk that the observer refuses or that loses its right to write', async () => {
      const place = placeOf();
      await files.append(place, 0, chunks(Buffer.from('one ')));
      let shown = '';
      const onBytes = async (bytes: Uint8Array) => {
        shown += Buffer.from(bytes).toString();
      };
      const refuse = async () => {
        throw new Error('refused');
      };
      const watch = { onBytes, check: refuse, beforeWrite: () => undefined };
      const two = () => chunks(Buffer.from('two'));
      await expect(files.append(place, 4, two(), watch)).rejects.toThrow('refused');
      expect(shown).toBe('two');
      let isHeld = true;
      const check = async () => {
        isHeld = false;
      };
      const beforeWrite = () => {
        if (!isHeld) throw new Error('not held any more');
      };
      await expect(files.append(place, 4, two(), { onBytes, check, beforeWrite })).rejects.toThrow(
        'not held',
      );
      const anew = files.append(place, 0, two(), { onBytes, check, beforeWrite });
      await expect(anew).rejects.toThrow('not held');
      expect((await contentOf(place))?.toString()).toBe('one ');
    });

    test('can be staged again after their publication was taken back', async () => {
      const place = placeOf();
      await files.append(place, 0, chunks(Buffer.from('new')));
      const staged = await files.stage(place, { size: 3, sha256: sha256(Buffer.from('new')) });
      const retained = await area.retain('taken back');
      await staged.publish('taken back');
      await staged.takeBack();
      await retained.restore();
      await staged.discard();
      expect(await area.find('taken back')).toBeNull();
      await (await files.stage(place, { size: 3, sha256: '' })).publish('again');
      expect((await read(area, 'again')).toString()).toBe('new');
    });

    test('are removed with their objects and parts, and with earlier files on disk', async () => {
      const [place, former] = [placeOf(), placeOf('dats')];
      const before = await keys();
      await files.append(place, 0, chunks(randomBytes(9 * mib)));
      await files.append(place, 9 * mib, chunks(Buffer.from('x')));
      const onDisk = localUploads({ tmp, areas: { games: tmp, videos: tmp } });
      await onDisk.append(former, 0, chunks(Buffer.from('begun without --files')));
      expect(await files.has(former)).toBe(false);
      const folders = await files.listFolders();
      expect(folders).toEqual(expect.arrayContaining([place.folder, former.folder]));
      for (const each of [place, former, place]) await files.remove(each);
      expect([await files.has(place), await onDisk.has(former)]).toEqual([false, false]);
      expect(await keys()).toEqual(before);
      expect(await openParts()).toEqual([]);
      rmSync(join(tmp, 'uploads'), { recursive: true });
    });

    test('are fetched to disk by any instance, and refused if they are damaged', async () => {
      const dat = placeOf('dats');
      const ofDats = async () => (await keys()).filter((key) => key.includes('/dats/'));
      const bytes = randomBytes(300_000);
      await send(dat, bytes, 100_000, 200_000);
      const version = { size: bytes.byteLength, sha256: sha256(bytes) };
      await files.stage(dat, version);
      const { signal } = new AbortController();
      const [one, other] = [
        await instance().fetch(dat, version, signal),
        await instance().fetch(dat, version, signal),
      ];
      expect(readFileSync(one?.path ?? '').equals(bytes)).toBe(true);
      await one?.drop();
      expect(readFileSync(other?.path ?? '').equals(bytes)).toBe(true);
      await other?.drop();
      expect(await files.fetch(placeOf('dats'), version, signal)).toBeNull();
      // Incorrect or incomplete bytes are neither returned nor stored.
      const wrong = { ...version, sha256: sha256(Buffer.from('other')) };
      await expect(files.fetch(dat, wrong, signal)).rejects.toMatchObject({
        message: 'damaged upload',
      });
      const stop = AbortSignal.abort(new Error('stopped'));
      await expect(files.fetch(dat, version, stop)).rejects.toThrow('stopped');
      expect(readdirSync(tmp)).toEqual([]);
      await files.remove(dat);
      // The server removes the bytes in the background.
      await expect.poll(ofDats).toEqual([]);
    });
  });
};

for (const server of s3Servers) {
  const title = `uploads on S3 of ${server.name} ${server.skipReason ?? ''}`;
  describe.skipIf(server.skipReason !== null)(title, () => suite(server));
}
