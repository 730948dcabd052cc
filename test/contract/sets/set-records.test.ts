import { expect, test } from 'vitest';
import type { SetRecords } from '../../../src/core/sets/ports.ts';
import { readPreference } from '../../../src/core/sets/preference.ts';
import { maxSetsPerUser } from '../../../src/core/sets/set.ts';
import type { Actor } from '../../../src/core/shared/requests/actor.ts';
import type { Role } from '../../../src/core/shared/requests/role.ts';
import { removeUser } from '../../../src/sql/accounts/user-changes.ts';
import { recoveredAuthor } from '../../../src/sql/accounts/write-as.ts';
import { SqlSetRecords } from '../../../src/sql/sets/set-records.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { stamp, steppingClock, useEngine } from '../fixtures/use-engine.ts';

const system: Actor = { kind: 'system' };
const rule = { all: [] };

describeEngines('$name: the table of sets', ({ open }) => {
  async function useSets() {
    const engine = await useEngine(open);
    const records: SetRecords = new SqlSetRecords({ engine, clock: steppingClock() });
    const addUser = (username: string, role: Role = 'user') =>
      engine.write(async (trx) => {
        const row = { username, role, password_hash: '', is_active: true, created_at: '' };
        const { id } = await trx
          .insertInto('user')
          .values({ ...row, last_login_at: null })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { userId: id };
      });
    const [ann, bob] = [await addUser('ann'), await addUser('bob')];
    const create = (name: string, ownerId: number | null, isShared = ownerId === null) =>
      records.create({ name, ownerId, isShared, rule, prefer: null }, system);
    const names = async (viewer: Parameters<SetRecords['list']>[0]) =>
      (await records.list(viewer)).map(({ name }) => name);
    const actorOf = ({ userId }: typeof ann, role: Role): Actor => ({
      ...{ kind: 'user', userId, username: '', address: '::1' },
      right: { role, tokenId: null },
    });
    return { engine, records, ann, bob, create, names, actorOf };
  }

  test("lists a user's own and shared sets by name, in pages", async () => {
    const { records, ann, bob, create, names } = await useSets();
    const odd = ['ä', 'a', 'B', '大'];
    for (const name of odd) await create(name, ann.userId);
    await create('shared', bob.userId, true);
    await create("nobody's", null);
    await create('bob only', bob.userId);
    expect(await names(ann)).toEqual(['B', 'a', "nobody's", 'shared', 'ä', '大']);
    expect(await names(bob)).toEqual(['bob only', "nobody's", 'shared']);
    expect(await names('everybody')).toHaveLength(7);
    const page = await records.list(ann, { limit: 2, offset: 1 });
    expect(page.map(({ name, owner }) => [name, owner])).toEqual([
      ['a', 'ann'],
      ["nobody's", null],
    ]);
  });

  test("finds a set by ID, and sets of one name with the user's own set first", async () => {
    const { records, ann, bob, create } = await useSets();
    const theirs = await create('Same', bob.userId, true);
    const hidden = await create('Hidden', bob.userId);
    const own = await create('Same', ann.userId);
    expect(await records.find(own, ann)).toEqual({
      ...{ id: own, name: 'Same', ownerId: ann.userId, owner: 'ann', isShared: false, rule },
      prefer: null,
    });
    expect([await records.find(hidden, ann), await records.find(99_999, ann)]).toEqual([
      null,
      null,
    ]);
    const ids = async (viewer: typeof ann | 'everybody', name = 'Same') =>
      (await records.listByName(name, viewer)).map(({ id }) => id);
    expect(await ids(ann)).toEqual([own, theirs]);
    expect(await ids(bob)).toEqual([theirs]);
    expect(await ids('everybody')).toEqual([theirs, own]);
    expect(await ids(ann, 'same')).toEqual([]);
    const listed = await records.listByIds([own, hidden, theirs], ann);
    expect(listed.map(({ id }) => id).sort((a, b) => a - b)).toEqual([theirs, own]);
  });

  test('refuses a second set of an owner with the same name', async () => {
    const { records, ann, bob, create } = await useSets();
    const exists = { kind: 'conflict', message: 'set already exists' };
    await create('A', ann.userId);
    await create('A', bob.userId);
    await create('A', null);
    const other = await create('B', ann.userId);
    const free = await create('B', null);
    await expect(create('A', ann.userId)).rejects.toMatchObject(exists);
    await expect(create('A', null)).rejects.toMatchObject(exists);
    for (const id of [other, free]) {
      await expect(records.update(id, { name: 'A' }, 'everybody', system)).rejects.toMatchObject(
        exists,
      );
      expect(await records.update(id, { name: 'B' }, 'everybody', system)).toBe(true);
    }
  });

  test('allows at most 100 sets per user', async () => {
    const { ann, bob, create } = await useSets();
    for (let i = 0; i < maxSetsPerUser; i += 1) await create(`${i}`, ann.userId);
    const refused = { kind: 'conflict', message: 'too many sets' };
    await expect(create('more', ann.userId)).rejects.toMatchObject(refused);
    await create('more', bob.userId);
    await create('more', null);
  });

  test('changes and removes a set only with the right to it, and audits that', async () => {
    const { engine, records, ann, bob, create, actorOf } = await useSets();
    const id = await create('Mine', ann.userId);
    const asUser = actorOf(ann, 'user');
    const change = { name: 'New', rule: { any: [] } };
    expect(await records.update(id, change, bob, actorOf(bob, 'user'))).toBe(false);
    expect(await records.remove(id, bob, actorOf(bob, 'user'))).toBe(false);
    expect(await records.update(id, change, ann, asUser)).toBe(true);
    expect(await records.find(id, ann)).toMatchObject({ ...change, isShared: false });
    const prefer = readPreference({ regions: ['Europe', 'World'] });
    await records.update(id, { prefer }, ann, asUser);
    expect(await records.find(id, ann)).toMatchObject({ ...change, prefer });
    await records.update(id, { isShared: true, prefer: null }, ann, system);
    expect(await records.find(id, ann)).toMatchObject({ ...change, prefer: null });
    const forbidden = { kind: 'forbidden' };
    await expect(records.update(id, change, ann, asUser)).rejects.toMatchObject(forbidden);
    await expect(records.remove(id, ann, asUser)).rejects.toMatchObject(forbidden);
    await expect(records.remove(id, bob, actorOf(bob, 'editor'))).rejects.toMatchObject(forbidden);
    expect(await records.remove(id, bob, system)).toBe(true);
    expect(await records.find(id, ann)).toBeNull();
    const audit = await engine.read
      .selectFrom('audit')
      .select(['action', 'target', 'detail'])
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { action: 'set.create', target: `set/${id}`, detail: '{"name":"Mine","shared":false}' },
      { action: 'set.update', target: `set/${id}`, detail: '{"name":"New","rule":"changed"}' },
      { action: 'set.update', target: `set/${id}`, detail: '{"prefer":"changed"}' },
      {
        action: 'set.update',
        target: `set/${id}`,
        detail: '{"shared":true,"prefer":"changed"}',
      },
      { action: 'set.delete', target: `set/${id}`, detail: '{"name":"New"}' },
    ]);
  });

  test('keeps shared sets of a deleted user, without an owner, but no private ones', async () => {
    const { engine, ann, bob, create, names, records } = await useSets();
    await create('private', ann.userId);
    const shared = await create('shared', ann.userId, true);
    await create('shared', null);
    await create("bob's", bob.userId);
    await engine.write((trx) => removeUser(trx, ann.userId, stamp(0), recoveredAuthor(system)));
    expect(await names('everybody')).toEqual(["bob's", 'shared', 'shared']);
    expect(await records.find(shared, bob)).toMatchObject({ owner: null, ownerId: null });
  });
});
