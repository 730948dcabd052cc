import { describe, expect, test } from 'vitest';
import { SqlAuditRecords } from '../../src/sql/audit/audit-list.ts';
import { SqlDownloadRecords } from '../../src/sql/store/download-records.ts';
import { recordQueries } from './query-plans.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const page = { limit: 50, before: null };
const deferredWrites = { flush: async () => undefined };

const openRecording = async (name?: string) => recordQueries(await folder.openNew(name));

/** Expects that a single step reads the table, through this index, and that no step sorts rows. */
function expectIndex(found: string[][], table: string, index: string) {
  const steps = found.flat().filter((step) => step.includes(` ${table}`) || step.includes('TEMP'));
  expect(steps).toEqual([expect.stringContaining(index)]);
}

describe('the list of the newest entries', () => {
  test.each([
    [{}, 'SCAN'],
    [{ action: 'a' }, 'audit_by_action (action=?'],
    [{ username: 'u' }, 'audit_by_username (username=?'],
    [{ target: 't' }, 'audit_by_target (target=?'],
    [{ username: 'u', action: 'a' }, 'audit_by_username_action (username=? AND action=?'],
    [{ username: 'u', action: 'a', target: 't' }, 'audit_by_target (target=?'],
  ])('reads the audit filtered by %j from one index in its order', async (filter, index) => {
    for (const before of [null, 1_000_000]) {
      const { engine, plans } = await openRecording(`${before}.db`);
      const all = { action: '', username: '', target: '' };
      await new SqlAuditRecords({ engine, deferredWrites }).list(
        { ...all, ...filter },
        { ...page, before },
      );
      const expected = before === null || index !== 'SCAN' ? index : 'INTEGER PRIMARY KEY';
      expectIndex(await plans(), 'audit', expected);
    }
  });

  test.each([
    [{}, 'SCAN'],
    [{ name: 'n' }, 'download_event_by_name (name=?'],
    [{ by: { id: 1 } }, 'download_event_by_user (user_id=?'],
    [{ by: { username: 'u' } }, 'download_event_by_user (user_id=?'],
    [{ by: { id: 1 }, name: 'n' }, 'download_event_by_user_name (user_id=? AND name=?'],
  ])('reads downloads filtered by %j from one index in their order', async (filter, index) => {
    const { engine, plans } = await openRecording();
    const records = new SqlDownloadRecords({ engine, deferredWrites });
    await records.list({ by: null, name: '', ...filter }, page);
    expectIndex(await plans(), 'event', index);
  });
});
