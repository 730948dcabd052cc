import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isCurrentReader, readerOf } from '../../../src/disk/reader-versions.ts';
import { migrate } from '../../../src/sql/sqlite/migrate.ts';
import { filesReadAgain } from '../../../src/sql/sqlite/migrations/0009-files-read-again.ts';
import { migrations } from '../../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../../src/sql/sqlite/open.ts';
import type { Tables } from '../../../src/sql/tables.ts';
import { zipOf } from '../../imports/support/zip-file.ts';
import { nintendoImage } from '../../support/images/disc-images.ts';
import { makeCso } from '../../support/images/packed-images.ts';
import { type LibraryFixture, romOf, useLibrary } from '../library-fixture.ts';

const damage = [
  'it is damaged: a block cannot be unpacked',
  'its header is damaged',
  'the zip cannot be read: unexpected EOF',
];
const noDamage = [
  'busy',
  'insufficient storage',
  'database is locked',
  'the hashing thread ended',
  'Cannot read properties of undefined',
];

describe('the migration that marks files to be read again', () => {
  test('marks files with a recorded database error, but not damaged ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-migrate-'));
    const engine = await openSqlite<Tables>(join(folder, 'catalog.db'), { create: true });
    onTestFinished(async () => {
      await engine.close();
      await rm(folder, { recursive: true });
    });
    const step = migrations.indexOf(filesReadAgain);
    await migrate(engine, migrations.slice(0, step));
    const problems = [...damage, ...noDamage, null];
    await engine.write(async (db, bulk) => {
      const root = { path: '/games', system: 'games', scanned_at: null };
      const { id } = await db
        .insertInto('library_root')
        .values(root)
        .returning('id')
        .executeTakeFirstOrThrow();
      await bulk.run(
        `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, evidence)
        VALUES (?, ?, ?, 1, 5, 1, ?, '{}')`,
        problems.map((problem, i) => [id, `${i}`, `${i}`, JSON.stringify({ disc: null, problem })]),
      );
    });
    await migrate(engine, migrations.slice(0, step + 1));
    const rows = await engine.read
      .selectFrom('library_file')
      .select(['mtime_ns', 'identity'])
      .orderBy('id')
      .execute();
    expect(rows.map((row) => ({ ...JSON.parse(row.identity), mtime: row.mtime_ns }))).toEqual(
      problems.map((problem) => {
        const isRead = problem !== null && noDamage.includes(problem);
        return { disc: null, problem: isRead ? null : problem, mtime: isRead ? -1 : 5 };
      }),
    );
  });

  test('makes the next scan identify and hash a file that it marked', async () => {
    const library = await useLibrary();
    await library.write('a.cso', makeCso(Buffer.alloc(50_000, 'disc')));
    await library.write('b.cso', makeCso(Buffer.alloc(60_000, 'disc')));
    await library.scan();
    const mark = (problem: string) =>
      library.sql.write((db) =>
        db
          .updateTable('library_file')
          .set({ identity: JSON.stringify({ container: 'cso', problem, members: [] }) })
          .where('name', '=', problem === 'busy' ? 'a.cso' : 'b.cso')
          .execute(),
      );
    await mark('busy');
    await mark('it is damaged');
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 0, hashed: 0 });
    for (const statement of filesReadAgain.statements) {
      await library.sql.write((_db, bulk) => bulk.run(statement, [[]]));
    }
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 1, hashed: 1 });
    const identity = JSON.parse(String(await library.stored('a.cso', 'identity')));
    expect(identity).toMatchObject({ container: 'cso', imageSize: 50_000, problem: null });
  });
});

describe('a scan after the reader of a file changed', () => {
  const disc = nintendoImage('GW7E69', '', 'gamecube', { disc: 1, revision: 0 });
  const forget = (library: LibraryFixture, reader: string) =>
    library.sql.write((db) => db.updateTable('library_file').set({ reader }).execute());

  test('reads headers again, and drops only hashes of files now known to be packed', async () => {
    const library = await useLibrary();
    const content = Buffer.alloc(50_000, 'disc');
    const packedFile = makeCso(content);
    await library.write('plain.iso', disc);
    await library.write('inside.cso', packedFile);
    await library.write('packed.cso', makeCso(Buffer.alloc(60_000, 'disc')));
    await library.scan({ hash: true });
    const before = await library.stored('inside.cso', 'sha1');
    // simulate a program that could not read the container
    await library.sql.write((db) =>
      db
        .updateTable('library_file')
        .set((eb) => ({ image_size: eb.ref('size') }))
        .where('name', '=', 'packed.cso')
        .execute(),
    );
    await forget(library, 'unknown 1, no disc 1');
    expect(await library.scan()).toMatchObject({ looked: 3, hashed: 0 });
    expect(await library.stored('plain.iso', 'sha1')).toBe(romOf(disc, '').sha1);
    expect(await library.stored('inside.cso', 'sha1')).toBe(before);
    expect(await library.stored('packed.cso', 'sha1')).toBeNull();
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 0, hashed: 1 });
    expect(await library.stored('packed.cso', 'sha1')).not.toBeNull();
  });

  test('drops the hash of a later part of an image, and hashes all parts as one file', async () => {
    const library = await useLibrary();
    const image = Buffer.alloc(50_000, 'a disc in parts');
    const parts = { 'a.iso.001': image.subarray(0, 30_000), 'a.iso.002': image.subarray(30_000) };
    for (const [name, part] of Object.entries(parts)) await library.write(name, part);
    await library.scan({ hash: true });
    for (const [name, part] of Object.entries(parts)) {
      const { crc, md5, sha1 } = romOf(part, '');
      // simulate a program that did not support parts
      await library.sql.write((db) =>
        db
          .updateTable('library_file')
          .set({ crc32: crc, md5, sha1, image_size: part.length, reader: 'unknown 1, no disc 1' })
          .where('name', '=', name)
          .execute(),
      );
    }
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 2, hashed: 1 });
    expect(await library.stored('a.iso.001', 'sha1')).toBe(romOf(image, '').sha1);
    expect(await library.stored('a.iso.002', 'sha1')).toBeNull();
  });

  test('hashes an archive again only if its members were not hashed', async () => {
    const library = await useLibrary();
    for (const name of ['old.zip', 'new.zip']) {
      await library.write(
        name,
        zipOf([...'ab'].map((one) => ({ name: one, content: name + one }))),
      );
    }
    await library.scan({ hash: true });
    const before = await library.stored('new.zip', 'sha1');
    const stored = await library.stored('old.zip', 'identity');
    const identity = JSON.parse(String(stored), (key, value) => (key === 'hashes' ? null : value));
    await library.sql.write((db) =>
      db
        .updateTable('library_file')
        .set({ identity: JSON.stringify(identity) })
        .where('name', '=', 'old.zip')
        .execute(),
    );
    await forget(library, 'zip 1, no disc 1');
    library.forgetCalls();
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 2, hashed: 1 });
    expect(library.hashed).toEqual(['games/old.zip']);
    expect(await library.stored('old.zip', 'identity')).toBe(stored);
    expect(await library.stored('new.zip', 'sha1')).toBe(before);
  });

  test('hashes an archive again only if a sheet in it may divide its image', async () => {
    const library = await useLibrary();
    const tracks = ['data', 'tune'].map((text) => Buffer.alloc(20 * 2352, text));
    const cue =
      'FILE "m.bin" BINARY\n TRACK 01 AUDIO\n INDEX 01 00:00:00\n TRACK 02 AUDIO\n INDEX 01 00:00:20\n';
    const image = { name: 'm.bin', content: Buffer.concat(tracks) };
    await library.write('set.zip', zipOf([image, { name: 'm.cue', content: cue }]));
    await library.write('alone.zip', zipOf([image]));
    await library.scan({ hash: true });
    const stored = String(await library.stored('set.zip', 'identity'));
    expect(JSON.parse(stored).tracks).toHaveLength(2);
    // simulate a program that did not read sheets in archives
    const identity = JSON.stringify({ ...JSON.parse(stored), tracks: [] });
    await library.sql.write((db) =>
      db.updateTable('library_file').set({ identity }).where('name', '=', 'set.zip').execute(),
    );
    await forget(library, 'zip 3, no disc 1');
    library.forgetCalls();
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 2, hashed: 1 });
    expect(library.hashed).toEqual(['games/set.zip']);
    expect(await library.stored('set.zip', 'identity')).toBe(stored);
  });

  test('reads a file again that was also moved, but none of an empty root', async () => {
    const library = await useLibrary();
    const path = await library.write('a.iso', disc);
    await library.scan();
    await forget(library, '');
    await rename(path, join(library.games.path, 'b.iso'));
    expect(await library.scan()).toMatchObject({ looked: 1, moved: 1 });
    await forget(library, '');
    await rm(join(library.games.path, 'b.iso'));
    expect(await library.scan()).toMatchObject({ looked: 0 });
    expect(await library.stored('b.iso', 'reader')).toBe('');
  });

  test('counts lost and changed matches in the report', async () => {
    const library = await useLibrary();
    const names = ['A game (USA) (Disc 1)', 'A game (USA) (Disc 2)', 'Other', 'Another'];
    await library.take(
      names.map((name, index) => {
        const serial = index < 2 ? 'GW7E69' : 'GZZE01';
        const sha1 = `${index}`.padStart(40, 'a');
        return { name, serial, roms: [{ name, size: disc.length, sha1 }] };
      }),
    );
    await library.write('changes.iso', disc);
    await library.write('goes.iso', nintendoImage('GZZE01', '', 'gamecube', { revision: 9 }));
    expect(await library.scan()).toMatchObject({ matchesLost: 0, matchesChanged: 0, tied: 1 });
    const releases = await library.sql.read.selectFrom('release').select(['id', 'name']).execute();
    const idOf = (name: string) => releases.find((one) => one.name === name)?.id ?? 0;
    // simulate a program that chose the release with the lowest ID
    for (const [file, release] of [
      ['changes.iso', 'A game (USA) (Disc 1)'],
      ['goes.iso', 'Other'],
    ] as const) {
      await library.sql.write((db) =>
        db
          .updateTable('library_file')
          .set({ release_id: idOf(release), method: 'serial', tied: null })
          .where('name', '=', file)
          .execute(),
      );
    }
    await forget(library, '');
    await library.sql.write((db) =>
      db.updateTable('library_state').set({ value: '1-0' }).execute(),
    );
    expect(await library.scan()).toMatchObject({ looked: 2, matchesLost: 1, matchesChanged: 1 });
    expect((await library.matchOf('changes.iso'))?.release).toBe('A game (USA) (Disc 2)');
    expect(await library.matchOf('goes.iso')).toBeNull();
    expect(await library.scan()).toMatchObject({ looked: 0, matchesLost: 0, matchesChanged: 0 });
  });

  test('takes a reader as current only if its container and disc versions are', () => {
    const reader = readerOf({ container: 'cso', disc: 'psp' });
    expect(isCurrentReader(reader)).toBe(true);
    expect(isCurrentReader(reader.replace(/cso \d+/, 'cso 0'))).toBe(false);
    expect(isCurrentReader(reader.replace(/psp \d+/, 'psp 99'))).toBe(false);
    expect(isCurrentReader(readerOf({ container: 'unknown', disc: null }))).toBe(true);
    expect(isCurrentReader('unknown 1, no disc 1')).toBe(false);
    expect(isCurrentReader('')).toBe(false);
  });
});
