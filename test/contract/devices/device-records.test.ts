import { expect, test } from 'vitest';
import { maxDevicesPerUser } from '../../../src/core/devices/device.ts';
import type { DeviceRecords } from '../../../src/core/devices/ports.ts';
import type { Actor } from '../../../src/core/shared/requests/actor.ts';
import { changeUser, removeUser } from '../../../src/sql/accounts/user-changes.ts';
import { recoveredAuthor } from '../../../src/sql/accounts/write-as.ts';
import { SqlDeviceRecords } from '../../../src/sql/devices/device-records.ts';
import { DeferredWrites } from '../../../src/sql/engine/deferred-writes.ts';
import { PartRevisions } from '../../../src/sql/engine/part-revisions.ts';
import { SqlSetRecords } from '../../../src/sql/sets/set-records.ts';
import { SqlDownloadRecords } from '../../../src/sql/store/download-records.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { stamp, steppingClock, useEngine } from '../fixtures/use-engine.ts';

const system: Actor = { kind: 'system' };
const author = recoveredAuthor(system);

describeEngines('$name: the table of devices', ({ open }) => {
  async function useDevices() {
    const engine = await useEngine(open);
    const clock = steppingClock();
    const lost: unknown[] = [];
    const deferredWrites = new DeferredWrites(engine, (_count, error) => lost.push(error));
    const revision = new PartRevisions(engine).of('accounts');
    const records: DeviceRecords = new SqlDeviceRecords({
      engine,
      deferredWrites,
      clock,
      revision,
    });
    const sets = new SqlSetRecords({ engine, clock });
    const downloads = new SqlDownloadRecords({ engine, deferredWrites });
    const addUser = (username: string) =>
      engine.write(async (trx) => {
        const row = { username, role: 'user', password_hash: '', is_active: true } as const;
        const { id } = await trx
          .insertInto('user')
          .values({ ...row, created_at: '', last_login_at: null })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      });
    const [ann, bob] = [await addUser('ann'), await addUser('bob')];
    const addSet = (name: string, ownerId: number, isShared = false) =>
      sets.create({ name, ownerId, isShared, rule: { all: [] }, prefer: null }, system);
    const setId = await addSet('PSP', ann);
    const create = (name: string, hash = name, more = {}) => {
      const own = { ownerId: ann, setId, profile: 'es-de', createdAt: stamp(0), expiresAt: null };
      return records.create({ ...own, name, hash, ...more }, system);
    };
    const names = async (owner = ann) => (await records.list(owner)).map(({ name }) => name);
    return { engine, records, sets, downloads, ann, bob, addSet, setId, create, names, lost };
  }

  test('lists the devices of a user, newest first, in pages', async () => {
    const { records, ann, bob, create, names, setId } = await useDevices();
    for (const name of ['a', 'b', 'c']) await create(name);
    expect([await names(), await names(bob)]).toEqual([['c', 'b', 'a'], []]);
    const [second] = await records.list(ann, { limit: 1, offset: 1 });
    expect(second).toEqual({
      ...{ id: expect.any(Number), ownerId: ann, name: 'b', setId, setName: 'PSP' },
      ...{ profile: 'es-de', createdAt: stamp(0), expiresAt: null },
      ...{ lastUsedAt: null, lastFile: null, lastFileAt: null },
    });
  });

  test('finds a device by hash unless it or its set is gone or its owner is inactive', async () => {
    const { engine, records, sets, ann, create, addSet } = await useDevices();
    const id = await create('a', 'one');
    await create('b', 'two', { setId: await addSet('Other', ann) });
    expect((await records.findLive('one'))?.id).toBe(id);
    expect((await records.findLive('one'))?.id).toBe(id);
    expect(await records.findLive('none')).toBeNull();
    const setActive = (isActive: boolean) =>
      engine.write((trx) => changeUser(trx, ann, { isActive }, stamp(1), author));
    await setActive(false);
    expect(await records.findLive('one')).toBeNull();
    await setActive(true);
    expect((await records.findLive('one'))?.id).toBe(id);
    await records.remove(ann, id, system);
    expect(await records.findLive('one')).toBeNull();
    const left = await records.findLive('two');
    expect(left?.setName).toBe('Other');
    await sets.remove(left?.setId ?? 0, 'everybody', system);
    expect([await records.findLive('two'), await records.list(ann)]).toEqual([null, []]);
  });

  test('removes devices together with their owner', async () => {
    const { engine, records, ann, create, names } = await useDevices();
    await create('a');
    await records.findLive('a');
    await engine.write((trx) => removeUser(trx, ann, stamp(1), author));
    expect([await records.findLive('a'), await names()]).toEqual([null, []]);
  });

  test('refuses a set that the owner does not see, and one device too many', async () => {
    const { ann, bob, create, names, addSet } = await useDevices();
    await expect(create('a', 'a', { ownerId: bob })).rejects.toThrow('not found');
    await create('b', 'b', { ownerId: bob, setId: await addSet('Shared', ann, true) });
    await expect(create('c', 'c', { setId: 99_999 })).rejects.toThrow('not found');
    for (let made = 0; made < maxDevicesPerUser; made += 1) await create(`${made}`);
    await expect(create('more')).rejects.toThrow('too many devices');
    expect([(await names()).length, await names(bob)]).toEqual([maxDevicesPerUser, ['b']]);
  });

  test('removes only devices of the given user, and audits changes without the hash', async () => {
    const { engine, records, ann, bob, create, setId } = await useDevices();
    const id = await create('a', 'secret hash');
    await records.remove(bob, id, system);
    expect((await records.list(ann)).length).toBe(1);
    await records.remove(ann, id, system);
    await records.remove(ann, id, system);
    const audit = engine.read.selectFrom('audit').select(['action', 'target', 'detail']);
    const entries = await audit.where('target', 'like', 'device/%').orderBy('id').execute();
    const detail = JSON.stringify({ name: 'a', set: setId, profile: 'es-de', expiresAt: null });
    expect(entries).toEqual([
      { action: 'device.create', target: `device/${id}`, detail },
      { action: 'device.revoke', target: `device/${id}`, detail: '{"name":"a"}' },
    ]);
  });

  test('records reads with the same key as one download, and the last use', async () => {
    const { engine, records, downloads, ann, create, lost } = await useDevices();
    const id = await create('a');
    records.recordUse(id, stamp(1));
    const read = { device: { id, ownerId: ann }, name: 'x.iso', system: 'psp', bytes: 7 };
    records.recordRead({ ...read, path: 'psp/x.iso', at: stamp(2), key: 'one' });
    records.recordRead({ ...read, path: 'psp/x.iso', at: stamp(3), key: 'one' });
    records.recordRead({ ...read, path: 'psp/y.iso', at: stamp(4), key: 'two' });
    const listed = await downloads.list({ by: null, name: '' }, { limit: 10, before: null });
    expect(listed.map(({ kind, createdAt, bytes }) => [kind, createdAt, bytes])).toEqual([
      ['stream', stamp(4), 7],
      ['stream', stamp(2), 7],
    ]);
    expect(await records.list(ann)).toMatchObject([
      { lastUsedAt: stamp(4), lastFile: 'psp/y.iso', lastFileAt: stamp(4) },
    ]);
    expect(await engine.read.selectFrom('download_day').selectAll().execute()).toEqual([]);
    expect(lost).toEqual([]);
  });
});
