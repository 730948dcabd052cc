import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collectGarbage } from '../../src/memory/collect-garbage.ts';
import type { ZipBytes } from '../../src/zip/zip-bytes.ts';
import { zipEntries } from '../../src/zip/zip-entries.ts';
import { ZipWriter } from '../../src/zip/zip-writer.ts';
import { readZip } from '../support/exports/zip.ts';

const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

interface File {
  readonly name: string;
  readonly pieces: readonly (Uint8Array | string)[];
  readonly isCompressed?: boolean;
}

async function* contentOf<T>(pieces: readonly T[]): AsyncGenerator<T> {
  yield* pieces;
}

async function* zipOf(files: Iterable<File>): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriter();
  for (const { name, pieces, isCompressed = false } of files) {
    yield* zip.add({ name, isCompressed, content: contentOf(pieces) });
  }
  yield* zip.end();
}

const noise = randomBytes(300_000);
const long = Array.from({ length: 9_000 }, (_, at) => `line ${at} of a long text, ümläut\n`);
const files: readonly File[] = [
  { name: 'gamelists/psx/gamelist.xml', pieces: long, isCompressed: true },
  { name: 'empty.txt', pieces: [], isCompressed: true },
  { name: 'empty.png', pieces: [] },
  { name: 'Spiel – 大神 (Japan).m3u', pieces: ['a\n', 'b\n'], isCompressed: true },
  { name: 'noise.xml', pieces: [noise, noise], isCompressed: true },
  { name: 'covers/large.png', pieces: [noise.subarray(0, 9), noise, noise.subarray(7)] },
];

describe('the zip writer', () => {
  test('stores and compresses files of unknown sizes', async () => {
    const bytes = await buffer(zipOf(files));
    const zip = await readZip(bytes);
    expect([...zip.keys()]).toEqual(files.map(({ name }) => name));
    for (const { name, pieces, isCompressed = false } of files) {
      const content = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
      expect(zip.get(name)?.content.equals(content), name).toBe(true);
      expect(zip.get(name)?.isCompressed, name).toBe(isCompressed);
    }
    expect(bytes.length).toBeLessThan(4 * noise.length + 100_000);
  });

  test(`makes a zip in which unzip finds no error ${hasUnzip ? '' : '(skipped: needs unzip)'}`, {
    skip: !hasUnzip,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-zip-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'a.zip');
    await writeFile(path, zipOf(files));
    const { status, stdout } = spawnSync('unzip', ['-t', path]);
    expect([status, `${stdout}`]).toEqual([0, expect.stringContaining('No errors detected')]);
  });

  test('passes on an error of a file, and stops reading when the consumer stops', async () => {
    async function* broken() {
      for (let at = 0; at < 40; at += 1) yield noise.subarray(0, 9_000);
      throw new Error('the cover is gone');
    }
    for (const isCompressed of [false, true]) {
      const zip = new ZipWriter();
      const adding = zip.add({ name: 'a', isCompressed, content: broken() });
      await expect(buffer(adding)).rejects.toThrow('the cover is gone');
      const [ended, end] = [Promise.withResolvers<void>(), new ZipWriter()];
      async function* endless() {
        try {
          for (;;) yield noise;
        } finally {
          ended.resolve();
        }
      }
      for await (const _ of end.add({ name: 'a', isCompressed, content: endless() })) break;
      await ended.promise;
    }
  });

  // The time grows with the number of files: with the square of it, this test would time out.
  test('writes a hundred thousand files in bounded memory', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const count = 100_000;
    const nameOf = (at: number) =>
      `downloaded_media/psx/covers/Game with a name ${at} (Europe).png`;
    function* many(): Generator<File> {
      for (let at = 0; at < count; at += 1) yield { name: nameOf(at), pieces: [`picture ${at}`] };
    }
    const used = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    const pieces: Uint8Array[] = [];
    let size = 0;
    let highest = 0;
    for await (const piece of zipOf(many())) {
      pieces.push(piece);
      size += piece.byteLength;
      if (pieces.length % 20_000 === 0) highest = Math.max(highest, used() - before);
    }
    // The names have 6 MB. The pieces of the zip are kept here, too, and take about 40 MB.
    expect(highest).toBeLessThan(100 * 2 ** 20);
    const bytes: ZipBytes = whole(pieces, size);
    let at = 0;
    for await (const { name } of zipEntries(bytes)) {
      expect(name === nameOf(at)).toBe(true);
      at += 1;
    }
    expect(at).toBe(count);
  });
});

function whole(pieces: readonly Uint8Array[], size: number): ZipBytes {
  const all = Buffer.concat(pieces);
  return { size, read: async (offset, length) => all.subarray(offset, offset + length) };
}
