import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/shared/clock.ts';
import type { StoreRecords } from '../../../src/core/store/ports.ts';
import { DeferredWrites } from '../../../src/sql/engine/deferred-writes.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlStoreRecords } from '../../../src/sql/store/store-records.ts';

/** Contract of every `StoreRecords` adapter. */
export function storeRecordsContract(open: () => Promise<Engine>): void {
  test('contain downloads in order, with and without a user', async () => {
    const engine = await open();
    const deferredWrites = new DeferredWrites(engine, (_count, error) => {
      throw error;
    });
    const records: StoreRecords = new SqlStoreRecords({
      engine,
      deferredWrites,
      clock: systemClock,
    });
    const before = systemClock.timestamp();
    records.recordDownload({ userId: null, area: 'games', name: 'ü.zip', bytes: 2 ** 40 });
    records.recordDownload({ userId: 7, area: 'videos', name: 'b.zip', bytes: 0 });
    await deferredWrites.close();
    const events = await engine.read
      .selectFrom('download_event')
      .selectAll()
      .orderBy('id')
      .execute();
    expect(events).toMatchObject([
      { user_id: null, area: 'games', name: 'ü.zip', bytes: 2 ** 40 },
      { user_id: 7, area: 'videos', name: 'b.zip', bytes: 0 },
    ]);
    for (const { created_at } of events) expect(created_at >= before).toBe(true);
  });
}
