/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openCurrent } from '../../../src/sql/sqlite/open-current.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { type Installation, installations } from '../../support/postgres/installations.ts';
import { postgresSchema, type Schema, sqliteSchema } from '../schemas.ts';

let sqlite: Schema;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-schema-'));
  const file = join(folder, 'catalog.db');
  await (await openCurrent(file)).close();
  sqlite = sqliteSchema(file);
  await rm(folder, { recursive: true });
});

/**
 * Executes a statement on PostgreSQL. Returns the differences between the schemas of both engines.
 */
async function differences(installation: Installation, statement?: string): Promise<string[]> {
  const { databaseUrl, drop } = await makeClone(installation);
  onTestFinished(drop);
  if (statement !== undefined) await execute(databaseUrl, statement);
  const postgres = await postgresSchema(databaseUrl);
  return [
    ...sqlite.filter((line) => !postgres.includes(line)).map((line) => `not there: ${line}`),
    ...postgres.filter((line) => !sqlite.includes(line)).map((line) => `added: ${line}`),
  ];
}

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

for (const installation of installations) {
  const { version, skipReason } = installation;
  describe(`the schema on PostgreSQL ${version}${skipReason === null ? '' : ` (${skipReason})`}`, () => {
    const check = test.skipIf(skipReason !== null);

    check('has the tables, keys and rows of a SQLite database when it is new', async () => {
      expect(sqlite).toContain('token: (user_id) is of user, cascade');
      expect(sqlite.length).toBeGreaterThan(250);
      expect(await differences(installation)).toEqual([]);
    });

    check.each([
      ['a table that is missing', 'DROP TABLE verification_finding'],
      ['a column that is missing', 'ALTER TABLE token DROP COLUMN last_used_at'],
      ['one that may be null', 'ALTER TABLE rom ALTER COLUMN sha1 DROP NOT NULL'],
      ['one of another type', 'ALTER TABLE audit ALTER COLUMN at TYPE bigint USING 0'],
      ['one without its default', 'ALTER TABLE release ALTER COLUMN revision DROP DEFAULT'],
      ['a key that is missing', 'DROP INDEX library_file_key'],
      ['a reference that is missing', 'ALTER TABLE rom DROP CONSTRAINT rom_release_id_fkey'],
      ['a row that is missing', `DELETE FROM lease`],
      ['a row that is another', `UPDATE part_revision SET number = 1 WHERE part = 'library'`],
    ])('finds %s', async (_name, statement) => {
      expect(await differences(installation, statement)).not.toEqual([]);
    });
  });
}
