import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../src/core/accounts/account.ts';
import type { ReleaseFilter } from '../../src/core/releases/ports.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { SqlAccountRecords } from '../../src/sql/accounts/account-records.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { SqlStatsRecords } from '../../src/sql/stats/stats-records.ts';
import { placeDatabase } from '../support/data/new-catalogue.ts';
import { dumpDatabase, faultsOf, restoreDatabase, schemaOf } from './dump.ts';
import { firstVersion, fixtureFile, makeFixture, readFixture, versions } from './fixtures.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const newest = versions.at(-1) ?? 0;
/**
 * The first, the newest and some other versions. An upgrade from the first version runs every step.
 */
const quick = [firstVersion, 16, 24, newest - 1, newest];
const everything: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };

describe('the fixtures of older databases', () => {
  it('exist for every version (write new ones with "node test/sql/write-fixtures.ts")', () => {
    expect(versions.filter((version) => !existsSync(fixtureFile(version)))).toEqual([]);
  });

  const title = 'match the previous fixture upgraded by one step: version %i';
  it.each(versions.slice(-1))(title, expectStep);
  it.each(versions.slice(1, -1))(title, { tags: ['full'] }, expectStep);

  async function expectStep(version: number): Promise<void> {
    expect(await makeFixture(version)).toBe(readFixture(version));
  }

  it.each(versions)(
    'restore to a database without faults and with the same dump: version %i',
    (version) => {
      restoreDatabase(folder.path(), readFixture(version));
      expect(faultsOf(folder.path())).toEqual([]);
      expect(dumpDatabase(folder.path())).toBe(readFixture(version));
    },
  );

  it('have rows in every table in the first version', () => {
    const text = readFixture(firstVersion);
    const tables = [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map((match) => match[1]);
    expect(tables).toHaveLength(26);
    expect(tables.filter((table) => !text.includes(`INSERT INTO "${table}"`))).toEqual([]);
  });
});

describe('an upgrade of a SQLite database', () => {
  let newSchema: string[];
  beforeAll(async () => {
    const made = await mkdtemp(join(tmpdir(), 'catalog-new-schema-'));
    await placeDatabase(join(made, 'new.db'));
    newSchema = schemaOf(join(made, 'new.db'));
    await rm(made, { recursive: true });
  });

  const title = 'gives version %i the current schema, keeps a copy, and keeps the data readable';
  it.each(quick)(title, expectUpgrade);
  it.each(versions.filter((version) => !quick.includes(version)))(
    title,
    { tags: ['full'] },
    expectUpgrade,
  );

  async function expectUpgrade(version: number): Promise<void> {
    restoreDatabase(folder.path(), readFixture(version));
    const engine = await openDatabase(folder.path());
    try {
      await expectOldContent(engine);
    } finally {
      await engine.close();
    }
    expect(schemaOf(folder.path())).toEqual(newSchema);
    expect(faultsOf(folder.path())).toEqual([]);
    const copy = folder.path(`backups/before-${version}.db`);
    expect(existsSync(copy)).toBe(version !== newest);
    if (version !== newest) expect(dumpDatabase(copy)).toBe(readFixture(version));
  }
});

async function expectOldContent(engine: Engine): Promise<void> {
  const deferredWrites = new DeferredWrites(engine, () => {});
  const parts = { engine, deferredWrites, clock: systemClock };
  const accounts = new SqlAccountRecords({
    ...parts,
    revision: new PartRevisions(parts.engine).of('accounts'),
  });
  expect((await accounts.listUsers()).map(nameAndRole)).toEqual([
    'admin: admin',
    'bob: user, inactive',
    'änn 大: editor',
  ]);
  expect((await accounts.listTokens(2)).map((token) => [token.label, token.expiresAt])).toEqual([
    ['ein Programm; "7"', null],
    ['browser', '2027-02-19T18:39:35.018Z'],
  ]);

  const releases = new SqlReleaseRecords(parts);
  const named = async (filter: Partial<ReleaseFilter>) =>
    (await releases.list({ ...everything, limit: 50, offset: 0, ...filter })).map(
      ({ name }) => name,
    );
  // One further release is hidden, because it belongs to an unfinished import.
  expect(await named({})).toHaveLength(14);
  expect(await named({ q: '大神' })).toEqual(['Ōkami - 大神 (Japan)']);
  expect(await named({ search: 'ules-01413' })).toEqual(["Ragnarök's Edge"]);
  expect(await named({ search: 'ulus-10041' })).toEqual(['Two Discs (USA, Europe)']);
  expect((await releases.find(2))?.meta).toEqual({
    title: '大神',
    manual: true,
    genre: 'アクション',
    synopsis: 'line one\nline two\ttabbed',
  });
  expect((await releases.find(5))?.roms.map(({ name, size }) => [name, size])).toEqual([
    ['two1.bin', 1004],
    ['two2.bin', Number.MAX_SAFE_INTEGER],
  ]);

  const stats = await new SqlStatsRecords(parts).stats();
  expect(stats.systems).toEqual([
    { system: 'games', releases: 13 },
    { system: 'videos', releases: 1 },
  ]);
  expect(stats.recent.map(({ name, username }) => [name, username])).toEqual([
    ['Mi Vídeo.zip', null],
    ['a.iso', null],
    ['Lumines (Japan).zip', 'admin'],
  ]);
}

function nameAndRole({ username, role, isActive }: User): string {
  return `${username}: ${role}${isActive ? '' : ', inactive'}`;
}
