import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { filesReadAgain } from '../../src/sql/sqlite/migrations/0009-files-read-again.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import type { Tables } from '../../src/sql/tables.ts';
import { makeCso } from '../support/packed-images.ts';
import { useLibrary } from './library-fixture.ts';

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

test('files with the problem of a database are as if they had changed; damaged ones stay known', async () => {
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

test('the next scan identifies and hashes such a file', async () => {
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
