import { describe, expect } from 'vitest';
import { SqlDownloadRecords } from '../../src/sql/store/download-records.ts';
import { testEngines } from './fixtures/engines.ts';
import { useEngine } from './fixtures/use-engine.ts';

describe('the list of downloads', () => {
  testEngines('$name: returns downloads by user and name, the newest first', async ({ open }) => {
    const engine = await useEngine(open);
    await engine.write(async (trx) => {
      const user = { password_hash: '', role: 'user' as const, is_active: true, created_at: '' };
      for (const username of ['ann', 'bob']) {
        await trx
          .insertInto('user')
          .values({ ...user, username })
          .execute();
      }
      const event = { area: 'games', bytes: 5, created_at: '2026-11-23T02:00:00.000Z' };
      for (const [user_id, name] of [
        [1, 'a.zip'],
        [2, 'a.zip'],
        [1, 'b.zip'],
        [null, 'a.zip'],
      ] as const) {
        await trx
          .insertInto('download_event')
          .values({ ...event, user_id, name })
          .execute();
      }
    });
    const records = new SqlDownloadRecords({ engine, deferredWrites: { flush: async () => {} } });
    const ids = async (by: { id: number } | { username: string } | null, name = '') => {
      const found = await records.list({ by, name }, { limit: 10, before: null });
      return found.map(({ id }) => id);
    };
    expect(await ids(null)).toEqual([4, 3, 2, 1]);
    expect(await ids(null, 'a.zip')).toEqual([4, 2, 1]);
    expect(await ids({ id: 1 })).toEqual([3, 1]);
    expect(await ids({ username: 'bob' })).toEqual([2]);
    expect(await ids({ username: 'ann' }, 'b.zip')).toEqual([3]);
    expect(await ids({ username: 'nobody' })).toEqual([]);
  });
});
