import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoredObject } from '../../../src/core/shared/files/object-records.ts';
import { withReservation } from '../../../src/core/shared/files/reserved-work.ts';
import { settableTime } from '../../../src/core/shared/settable-time.ts';
import { SqlObjectRecords } from '../../../src/sql/store/object-records.ts';
import { SqlObjectUploadRecords } from '../../../src/sql/uploads/object-uploads.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { inCodePointOrder, useEngine } from '../fixtures/use-engine.ts';

const objectOf = (name: string, mtimeNs = 5n): StoredObject => {
  return { name, key: `games/${randomUUID()}`, size: 2 ** 40, mtimeNs, sha256: 'ab'.repeat(32) };
};

describeEngines('files in an object store, in $name', (one) => {
  async function useRecords() {
    const engine = await useEngine(one.open);
    const records = new SqlObjectRecords({ engine });
    const orphans = async () => (await records.claimOld(-1, 100)).sort();
    async function publish(object: StoredObject): Promise<StoredObject> {
      await records.recordOrphan(object.key);
      return records.publish('games', object);
    }
    return { records, uploads: new SqlObjectUploadRecords({ engine }), orphans, publish };
  }

  test('have one row per name, and make a replaced object an orphan', async () => {
    const { records, orphans, publish } = await useRecords();
    expect([await records.find('games', 'a'), await records.revision('games')]).toEqual([
      null,
      null,
    ]);
    const [first, second] = [objectOf('a', 1_795_440_889_448_000_000n), objectOf('a')];
    expect(await publish(first)).toEqual(first);
    expect(await records.find('games', 'a')).toEqual(first);
    const stored = await publish(second);
    expect(stored).toEqual({ ...second, mtimeNs: settableTime(first.mtimeNs + 1000n) });
    expect(stored.mtimeNs).toBeGreaterThan(first.mtimeNs);
    expect(await records.find('games', 'a')).toEqual(stored);
    expect(await records.find('videos', 'a')).toBeNull();
    expect(await orphans()).toEqual([first.key]);
    expect(await records.count('games')).toBe(1);
  });

  test('do not change under a reservation that has ended', async () => {
    const { records, publish } = await useRecords();
    const file = await publish(objectOf('a'));
    const other = objectOf('a');
    await records.recordOrphan(other.key);
    const changes: (() => Promise<unknown>)[] = [
      () => records.publish('games', other),
      () => records.restore('games', 'a', null),
      () => records.remove('games', 'a'),
    ];
    for (const change of changes) {
      await expect(withReservation(1, change)).rejects.toMatchObject({ kind: 'busy' });
    }
    expect(await records.find('games', 'a')).toEqual(file);
  });

  test('are listed by name in code point order, in pages', async () => {
    const { records, publish } = await useRecords();
    const names = inCodePointOrder.slice(1);
    for (const name of [...names].reverse()) await publish(objectOf(name));
    const first = await records.list('games', null, 7);
    const rest = await records.list('games', first.at(-1)?.name ?? '', 100);
    expect([...first, ...rest].map(({ name }) => name)).toEqual(names);
    const some = await records.findAll('games', [...names.slice(1, 4), 'none']);
    expect(some.map(({ name }) => name).sort()).toEqual(names.slice(1, 4).sort());
    expect(await records.findAll('videos', names)).toEqual([]);
  });

  test('get a new revision with each change and only then', async () => {
    const { records, publish } = await useRecords();
    const file = await publish(objectOf('a'));
    const revisions = [await records.revision('games')];
    for (const change of [
      () => records.remove('games', 'a'),
      () => records.restore('games', 'a', file),
      () => publish(objectOf('a')),
      () => records.restore('games', 'a', null),
    ]) {
      await change();
      revisions.push(await records.revision('games'));
    }
    expect(new Set(revisions).size).toBe(5);
    expect(await records.remove('games', 'a')).toBe(false);
    await records.restore('games', 'a', null);
    expect(await records.revision('games')).toBe(revisions.at(-1));
  });

  test('are restored to an earlier version, and the newer object becomes an orphan', async () => {
    const { records, orphans, publish } = await useRecords();
    const first = await publish(objectOf('a'));
    const second = await publish(objectOf('a'));
    await records.restore('games', 'a', first);
    expect(await records.find('games', 'a')).toEqual(first);
    expect(await orphans()).toEqual([second.key]);
  });

  test('do not become orphans while one of two names is left', async () => {
    const { records, orphans, publish } = await useRecords();
    const file = await publish(objectOf('a'));
    await records.publish('games', { ...file, name: 'b' });
    await records.remove('games', 'a');
    expect(await orphans()).toEqual([]);
    await records.remove('games', 'b');
    expect(await orphans()).toEqual([file.key]);
  });

  test('cannot be published once their deletion has begun', async () => {
    const { records, publish } = await useRecords();
    const file = objectOf('a');
    await records.recordOrphan(file.key);
    expect(await records.claim(file.key)).toBe(true);
    await records.recordOrphan(file.key);
    await expect(records.publish('games', file)).rejects.toThrow('deleted meanwhile');
    await expect(records.publish('games', objectOf('never noted'))).rejects.toThrow('deleted');
    await records.forget(file.key);
    expect(await records.claim(file.key)).toBe(false);
    const named = await publish(objectOf('b'));
    expect(await records.claim(named.key)).toBe(false);
  });

  test('are attached to free names unless they are in use or being deleted', async () => {
    const { records, orphans, publish } = await useRecords();
    const free = objectOf('a');
    expect(await records.attach('games', free)).toBe(true);
    expect(await records.find('games', 'a')).toEqual(free);
    expect(await records.attach('games', objectOf('a'))).toBe(false);
    expect(await records.attach('games', { ...free, name: 'b' })).toBe(false);
    await records.detach('games', 'a', 'games/other');
    expect(await records.find('games', 'a')).toEqual(free);
    await records.detach('games', 'a', free.key);
    expect(await records.find('games', 'a')).toBeNull();
    expect(await orphans()).toEqual([]);

    const former = await publish(objectOf('c'));
    await records.remove('games', 'c');
    expect(await records.attach('games', former)).toBe(true);
    expect(await orphans()).toEqual([]);
    await records.remove('games', 'c');
    expect(await records.claim(former.key)).toBe(true);
    expect(await records.attach('games', former)).toBe(false);
    expect(await records.find('games', 'c')).toBeNull();
  });

  test('are claimed for deletion by their age as orphans, the oldest first', async () => {
    const { records } = await useRecords();
    for (const key of ['c', 'a', 'b']) {
      await records.recordOrphan(key);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    expect(await records.claimOld(3_600_000, 10)).toEqual([]);
    expect(await records.claimOld(-1, 2)).toEqual(['c', 'a']);
  });

  test('drop upload pieces that a new one overlaps, and are orphaned with the upload', async () => {
    const { records, uploads, orphans } = await useRecords();
    expect(await uploads.begin('one', 'games/whole')).toEqual([]);
    await records.recordOrphan('p1');
    await records.recordOrphan('p2');
    await uploads.addPiece('one', 'games/whole', { start: 0, size: 5, key: 'p1', part: null });
    await uploads.addPiece('one', 'games/whole', { start: 5, size: 5, key: 'p2', part: null });
    expect(await uploads.nameParts('one', 'games/whole', 'id 1')).toBe('id 1');
    expect(await uploads.nameParts('one', 'games/whole', 'id 2')).toBe('id 1');
    expect(await orphans()).toEqual([]);
    const part = { start: 5, size: 9, key: null, part: 1, tag: '"t"' };
    expect(await uploads.addPiece('one', 'games/whole', part)).toEqual(['p2']);
    expect(await uploads.find('one')).toEqual({
      ...{ folder: 'one', key: 'games/whole', partsId: 'id 1', wholeSize: null },
      pieces: [{ start: 0, size: 5, key: 'p1', part: null, tag: null }, part],
    });
    const other = { start: 0, size: 1, key: 'p1', part: null };
    for (const [folder, key] of [
      ['none', 'games/whole'],
      ['one', 'games/other'],
    ] as const) {
      const refused = { message: 'damaged upload' };
      await expect(uploads.addPiece(folder, key, other)).rejects.toMatchObject(refused);
      await expect(uploads.nameParts(folder, key, 'x')).rejects.toMatchObject(refused);
    }
    expect(await uploads.listFolders()).toEqual(['one']);
    expect((await uploads.remove('one')).sort()).toEqual(['games/whole', 'p1']);
    expect(await orphans()).toEqual(['games/whole', 'p1', 'p2']);
    expect(await uploads.find('one')).toBeNull();
  });

  test('replace several upload pieces only while all of the pieces exist', async () => {
    const { records, uploads, orphans } = await useRecords();
    await uploads.begin('one', 'games/whole');
    const pieces = ['p1', 'p2', 'p3'].map((key, at) => {
      return { start: 5 * at, size: 5, key, part: null };
    });
    for (const piece of pieces) {
      await records.recordOrphan(piece.key);
      await uploads.addPiece('one', 'games/whole', piece);
    }
    const joined = { start: 0, size: 10, key: 'joined', part: null };
    await records.recordOrphan('joined');
    const join = (keys: string[], key = 'games/whole') =>
      uploads.joinPieces('one', key, joined, keys);
    const damaged = { message: 'damaged upload' };
    await expect(join(['p1', 'p2'], 'games/other')).rejects.toMatchObject(damaged);
    await expect(join(['p1', 'p2', 'p0'])).rejects.toMatchObject({ kind: 'busy' });
    expect((await uploads.find('one'))?.pieces).toMatchObject(pieces);
    await join(['p1', 'p2']);
    expect((await uploads.find('one'))?.pieces).toMatchObject([joined, pieces[2]]);
    // A second call joins the same pieces after a stall.
    await records.recordOrphan('late');
    const late = uploads.joinPieces('one', 'games/whole', { ...joined, key: 'late' }, ['p1', 'p2']);
    await expect(late).rejects.toMatchObject({ kind: 'busy' });
    expect((await uploads.find('one'))?.pieces).toMatchObject([joined, pieces[2]]);
    expect(await orphans()).toEqual(['late', 'p1', 'p2']);
  });

  test('are not published from a removed upload', async () => {
    const { records, uploads } = await useRecords();
    await uploads.begin('one', 'games/whole');
    await records.recordOrphan('games/p');
    const piece = { start: 0, size: 5, key: 'games/p', part: null };
    await uploads.addPiece('one', 'games/whole', piece);
    await uploads.makeWhole('one', 'games/p', 5);
    const publish = () => records.publish('games', { ...objectOf('a'), key: 'games/p' }, 'one');
    await uploads.remove('one');
    for (const _ of ['an orphan', 'deleted']) {
      await expect(publish()).rejects.toMatchObject({ message: 'damaged upload' });
      expect(await records.find('games', 'a')).toBeNull();
      await records.claim('games/p');
      await records.forget('games/p');
    }
    await uploads.begin('one', 'games/other');
    await expect(publish()).rejects.toMatchObject({ message: 'damaged upload' });
    expect(await uploads.find('one')).toMatchObject({ key: 'games/other' });
  });

  test('are made from a complete upload, and become one again after a rollback', async () => {
    const { records, uploads, orphans } = await useRecords();
    await uploads.begin('one', 'games/whole');
    await records.recordOrphan('games/p');
    const piece = { start: 0, size: 5, key: 'games/p', part: null };
    await uploads.addPiece('one', 'games/whole', piece);
    expect(await uploads.makeWhole('one', 'games/p', 5)).toEqual(['games/whole']);
    expect(await uploads.find('one')).toMatchObject({ key: 'games/p', wholeSize: 5, pieces: [] });
    const file = { ...objectOf('a'), key: 'games/p' };
    await records.publish('games', file, 'one');
    expect(await uploads.find('one')).toBeNull();
    await uploads.makeWhole('one', 'games/p', 5);
    await records.restore('games', 'a', null);
    expect(await orphans()).toEqual(['games/whole']);
    expect(await uploads.find('one')).toMatchObject({ key: 'games/p', wholeSize: 5 });
  });
});
