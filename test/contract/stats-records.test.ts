import { expect, onTestFinished, test } from 'vitest';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import { SqlStatsRecords } from '../../src/sql/stats/stats-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { stamp, useEngine } from './fixtures/use-engine.ts';
import { addReleases } from './suites/release-rows.ts';

describeEngines('$name: the statistics of the catalogue', ({ open }) => {
  async function useStats() {
    const engine = await useEngine(open);
    const deferredWrites = new DeferredWrites(engine, (_, error) => {
      throw error;
    });
    onTestFinished(() => deferredWrites.close());
    const records = new SqlStatsRecords({ engine, deferredWrites });
    const addUser = (username: string) =>
      engine.write((trx) =>
        trx
          .insertInto('user')
          .values({
            username,
            password_hash: '',
            role: 'user',
            is_active: true,
            created_at: '',
            last_login_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
    const recordDownload = (name: string, user_id: number | null, bytes: number, second = 0) =>
      deferredWrites.add(async (trx) => {
        const event = { area: 'games', name, user_id, bytes, created_at: stamp(second) };
        await trx.insertInto('download_event').values(event).execute();
      });
    return { engine, records, addUser, recordDownload };
  }

  test('contain zeros and empty lists for an empty catalogue', async () => {
    const { records } = await useStats();
    expect(await records.stats()).toEqual({ systems: [], users: 0, downloads: 0, recent: [] });
    expect(await records.systems()).toEqual([]);
  });

  test('count visible releases by system, in code point order', async () => {
    const { engine, records } = await useStats();
    const systems = ['videos', 'games', 'Games', '大神', '🎮', 'games', 'games'];
    const ids = await addReleases(
      engine,
      systems.map((system, i) => ({ name: `${i}`, system })),
    );
    const expected = [
      { system: 'Games', releases: 1 },
      { system: 'games', releases: 3 },
      { system: 'videos', releases: 1 },
      { system: '大神', releases: 1 },
      { system: '🎮', releases: 1 },
    ];
    expect(await records.systems()).toEqual(expected);
    expect((await records.stats()).systems).toEqual(expected);
    await engine.write((trx) =>
      trx
        .insertInto('unfinished_import')
        .values({ first_release_id: ids.at(-2) ?? 0, claim: '' })
        .execute(),
    );
    expect((await records.systems()).find(({ system }) => system === 'games')?.releases).toBe(1);
  });

  test('count downloads, even deferred ones, and list the newest 20 with their users', async () => {
    const { engine, records, addUser, recordDownload } = await useStats();
    const ann = await addUser('änn');
    const gone = await addUser('gone');
    for (let i = 0; i < 22; i++) recordDownload(`${i}.zip`, ann.id, i, i);
    recordDownload('大神 🎮.zip', null, 2 ** 53 - 1);
    recordDownload('gone.zip', gone.id, 0);
    await engine.write((trx) => trx.deleteFrom('user').where('id', '=', gone.id).execute());
    const { users, downloads, recent } = await records.stats();
    expect({ users, downloads }).toEqual({ users: 1, downloads: 24 });
    const newest = { system: 'games', createdAt: stamp(0), username: null };
    expect(recent).toHaveLength(20);
    expect(recent.slice(0, 3)).toEqual([
      { ...newest, name: 'gone.zip', bytes: 0 },
      { ...newest, name: '大神 🎮.zip', bytes: 2 ** 53 - 1 },
      { system: 'games', name: '21.zip', bytes: 21, createdAt: stamp(21), username: 'änn' },
    ]);
    expect(recent.at(-1)?.name).toBe('4.zip');
  });
});
