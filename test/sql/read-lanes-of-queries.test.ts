import { describe, expect, test } from 'vitest';
import type { ReleaseFilter } from '../../src/core/releases/ports.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { SqlAccountRecords } from '../../src/sql/accounts/account-records.ts';
import { SqlCoverRecords } from '../../src/sql/covers/cover-records.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import type { Database, Engine } from '../../src/sql/engine/engine.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { SqlPlatformRecords } from '../../src/sql/platforms/platform-records.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { databaseOver } from '../../src/sql/sqlite/database.ts';
import type { Tables } from '../../src/sql/tables.ts';
import { useEngine } from '../contract/fixtures/use-engine.ts';
import { addReleases } from '../contract/suites/release-rows.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();

/**
 * Returns records for a database with a few releases. One of its two read lanes refuses all reads.
 */
async function without(lane: 'read' | 'longRead') {
  const engine = await useEngine(async () => {
    const opened = await folder.openNew();
    return { engine: opened, close: () => opened.close() };
  });
  await addReleases(engine, [
    { name: 'Alpha', platform: 'Example', region: 'Europe' },
    { name: 'Beta', platform: 'Example', region: 'Japan' },
  ]);
  const refuse = () => {
    throw new Error(`read from ${lane}`);
  };
  const refusing: Database<Tables> = databaseOver({
    noTransaction: '',
    query: refuse,
    stream: refuse,
  });
  const half: Engine = Object.create(engine, { [lane]: { value: refusing } });
  const deferredWrites = new DeferredWrites(engine, () => undefined);
  const parts = { engine: half, deferredWrites, clock: systemClock };
  return {
    releases: new SqlReleaseRecords(parts),
    accounts: new SqlAccountRecords({
      ...parts,
      revision: new PartRevisions({ commits: () => 1, read: half.read }).of('accounts'),
    }),
    covers: new SqlCoverRecords(parts),
    platforms: new SqlPlatformRecords(parts),
  };
}

const all: ReleaseFilter = { system: '', q: '', search: '', platform: '', region: '' };
const page = { limit: 50, offset: 0 };

describe('a query of the SQL records', () => {
  test('uses only the lane of short reads for indexed data', async () => {
    const { releases, accounts, covers, platforms } = await without('longRead');
    expect(await accounts.findCredential('none')).toBeNull();
    expect(await accounts.findUserByName('nobody')).toBeNull();
    expect(await covers.findOrigin(1)).toBeNull();
    expect(await releases.find(1)).toMatchObject({ name: 'Alpha' });
    expect(await releases.findWhole(1)).toMatchObject({ name: 'Alpha' });
    expect(await releases.findRevision(1)).toBeTypeOf('number');
    expect(await releases.count(all)).toBe(2);
    for (const filter of [{}, { system: 'games' }, { region: 'Japan' }]) {
      const counted = { ...all, ...filter };
      expect(await releases.count(counted)).toBeGreaterThan(0);
      expect((await releases.facets(counted)).platforms).toHaveLength(1);
      expect(await releases.initials(counted)).not.toEqual([]);
    }
    expect(await platforms.find(1)).toMatchObject({ name: 'Example' });
    for (const filter of [{}, { system: 'games' }, { platform: 'Example' }]) {
      for (const order of ['name', 'newest'] as const) {
        if (filter.system !== undefined && order === 'newest') continue;
        expect(await releases.list({ ...all, ...filter, ...page, order })).toHaveLength(2);
      }
    }
  });

  test('uses only the lane of long reads if it must read all releases', async () => {
    const { releases } = await without('read');
    expect(await releases.list({ ...all, ...page, q: '%_' })).toHaveLength(2);
    expect(await releases.list({ ...all, ...page, q: 'alpha' })).toHaveLength(1);
    expect(await releases.list({ ...all, ...page, search: 'a b' })).toHaveLength(1);
    expect(await releases.list({ ...all, ...page, region: 'Japan' })).toHaveLength(1);
    expect(await releases.list({ ...all, ...page, library: 'missing' })).toHaveLength(2);
    const some = { ...all, q: '%_' };
    expect(await releases.count(some)).toBe(2);
    expect((await releases.facets(some)).platforms).toHaveLength(1);
    expect(await releases.initials(some)).toHaveLength(2);
    expect((await releases.stream({ ...all, q: 'a' }, 0).next()).value).toHaveLength(2);
  });
});
