import { expect, test } from 'vitest';
import type { AuditAction } from '../../src/core/audit/actions.ts';
import type { Actor } from '../../src/core/shared/requests/actor.ts';
import { writeAs } from '../../src/sql/accounts/write-as.ts';
import { recordAudit } from '../../src/sql/audit/audit.ts';
import { SqlAuditRecords } from '../../src/sql/audit/audit-list.ts';
import { describeEngines } from './fixtures/engines.ts';
import { stamp, useEngine } from './fixtures/use-engine.ts';

const user = { kind: 'user', userId: 1, username: 'änn', address: '::1' } as const;
const cli = { kind: 'cli', username: "o'neil" } as const;
const all = { action: '', username: '', target: '' };

describeEngines('$name: the audit', ({ open }) => {
  async function useAudit() {
    const engine = await useEngine(open);
    const record = (
      actor: Actor,
      second: number,
      ...what: [action: AuditAction, target: string, detail?: Record<string, unknown>]
    ) =>
      writeAs(engine, { actor, at: stamp(second) }, (trx, author) =>
        recordAudit(trx, stamp(second), author, ...what),
      );
    await record(user, 0, 'release.edit', 'release/1', { fields: ['name'] });
    await record(cli, 1, 'release.edit', 'release/2');
    await record(user, 2, 'user.delete', 'user/1', { username: '大神' });
    await record({ kind: 'system' }, 3, 'cover.source', 'cover/1');
    const records = new SqlAuditRecords({ engine, deferredWrites: { flush: async () => {} } });
    const list = async (filter = {}, limit = 50, before: number | null = null) =>
      records.list({ ...all, ...filter }, { limit, before });
    return { list };
  }

  test('lists all entries, newest first', async () => {
    const { list } = await useAudit();
    const entries = await list();
    expect(entries.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    expect(entries.at(-1)).toEqual({
      id: 1,
      at: stamp(0),
      kind: 'user',
      username: 'änn',
      address: '::1',
      action: 'release.edit',
      target: 'release/1',
      detail: { fields: ['name'] },
    });
    const { username, address, detail } = entries[0] ?? {};
    expect([username, address, detail]).toEqual([null, null, null]);
  });

  const filtered: [object, number[]][] = [
    [{ action: 'release.edit' }, [2, 1]],
    [{ username: 'änn' }, [3, 1]],
    [{ username: 'änn', action: 'release.edit' }, [1]],
    [{ target: 'user/1' }, [3]],
    [{ target: 'user/1', username: "o'neil" }, []],
    [{ action: 'release' }, []],
    [{ username: 'ÄNN' }, []],
    [{ target: 'user/%' }, []],
  ];
  test('filters entries by exact action, username and target', async () => {
    const { list } = await useAudit();
    for (const [filter, ids] of filtered) {
      const found = (await list(filter)).map(({ id }) => id);
      expect(found, JSON.stringify(filter)).toEqual(ids);
    }
  });

  test('lists the entries before a given ID as the next page', async () => {
    const { list } = await useAudit();
    expect((await list({}, 3)).map(({ id }) => id)).toEqual([4, 3, 2]);
    expect((await list({}, 3, 2)).map(({ id }) => id)).toEqual([1]);
    expect(await list({}, 3, 1)).toEqual([]);
    expect((await list({ username: 'änn' }, 1, 3)).map(({ id }) => id)).toEqual([1]);
  });
});
