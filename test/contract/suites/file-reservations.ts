import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/shared/clock.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { archiveReservations } from '../../../src/sql/store/store-records.ts';
import { addRightful, lossesOfRight } from '../fixtures/rights.ts';
import { lastAudit, make, owner, removalOf, system, uploadOf } from './stored-files.ts';

/** Contract of every `ReservationRecords` adapter. The tests use the adapter for archives. */
export function fileReservationsContract(open: () => Promise<Engine>): void {
  async function create() {
    const engine = await open();
    const records = archiveReservations({ engine, clock: systemClock });
    const files = () => engine.read.selectFrom('stored_file').selectAll().execute();
    return { engine, records, files };
  }

  describe('a reservation', () => {
    test('blocks its target until it is confirmed or dropped', async () => {
      const { records } = await create();
      const change = uploadOf('a.zip');
      const first = await records.reserve(change, system, owner, 1000);
      if (!('reserved' in first)) throw new Error('it was held');
      expect(first.reserved).toMatchObject({ owner, change });
      const other = uploadOf('a.zip', 4);
      expect(await records.reserve(other, system, 'other', 1000)).toEqual({
        existing: first.reserved,
      });
      expect(await records.reserve(uploadOf('b.zip'), system, owner, 1000)).toHaveProperty(
        'reserved',
      );
      expect(await records.exists(first.reserved)).toBe(true);
      await records.drop(first.reserved, 1000);
      expect(await records.exists(first.reserved)).toBe(false);
      const second = await records.reserve(other, system, 'other', 1000);
      if (!('reserved' in second)) throw new Error('it is held');
      expect(second.reserved.id).toBeGreaterThan(first.reserved.id);
      expect(await records.confirm(second.reserved, null, system, 1000)).toBe(true);
      expect(await records.reserve(change, system, owner, 1000)).toHaveProperty('reserved');
    });

    test('is given to one of many concurrent callers', async () => {
      const { records } = await create();
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          records.reserve(uploadOf('a.zip', at), system, `owner ${at}`, 4000),
        ),
      );
      expect(responses.filter((response) => 'reserved' in response)).toHaveLength(1);
      const [only] = await records.listReservations();
      for (const response of responses) {
        expect('reserved' in response ? response.reserved : response.existing).toEqual(only);
      }
    });

    test('is listed in order of creation, separately from those of covers', async () => {
      const { engine, records } = await create();
      for (const name of ['b.zip', 'a.zip']) {
        await records.reserve(uploadOf(name), system, owner, 1000);
      }
      await records.reserve(uploadOf('c.zip', 3, 'videos'), system, owner, 1000);
      await engine.write((trx) =>
        trx
          .insertInto('file_reservation')
          .values({
            target: 'cover/1',
            area: 'covers',
            owner,
            reserved_at: systemClock.timestamp(),
            actor: '{}',
            change: '{}',
          })
          .execute(),
      );
      const names = (await records.listReservations()).map(({ change }) => change.file?.name);
      expect(names).toEqual(['b.zip', 'a.zip', 'c.zip']);
    });
  });

  describe('the confirmation of a reservation', () => {
    test('records the checksum, and its actor and time in the audit', async () => {
      const { engine, records, files } = await create();
      const actor = await addRightful(engine, 'editor');
      const change = uploadOf('ü (1).zip', 5);
      const response = await records.reserve(change, actor, owner, 1000);
      if (!('reserved' in response)) throw new Error('it was held');
      const stored = { name: 'ü (1).zip', size: 5, mtimeNs: 2n ** 60n + 1n, etag: '"x"' };
      expect(await records.confirm(response.reserved, stored, system, 1000)).toBe(true);
      const { name, size, sha256 } = change.file;
      const { reservedAt } = response.reserved;
      const row = { area: 'games', name, size, sha256, written_at: reservedAt };
      expect(await files()).toEqual([{ ...row, mtime_ns: 2n ** 60n + 1n }]);
      expect(await lastAudit(engine)).toEqual({
        at: reservedAt,
        actor_kind: 'user',
        user_id: actor.userId,
        username: 'someone',
        address: '127.0.0.1',
        action: 'archive.upload',
        target: 'store/games/ü (1).zip',
        detail: { size, sha256 },
      });
    });

    test('fails after the reservation was dropped', async () => {
      const { engine, records, files } = await create();
      const response = await records.reserve(uploadOf('a.zip'), system, owner, 1000);
      if (!('reserved' in response)) throw new Error('it was held');
      await records.drop(response.reserved, 1000);
      expect(await records.confirm(response.reserved, null, system, 1000)).toBe(false);
      await expect(lastAudit(engine)).rejects.toThrow();
      expect(await files()).toEqual([]);
    });

    test('replaces the row of a file for a new version, and deletes it for a removal', async () => {
      const { engine, records, files } = await create();
      await make(records, uploadOf('a.zip', 3), { mtimeNs: 10n });
      await make(records, uploadOf('b.zip', 3));
      await make(records, uploadOf('a.zip', 4), { mtimeNs: 20n });
      const a = { name: 'a.zip', size: 4, sha256: uploadOf('', 4).file.sha256 };
      expect((await files()).find(({ name }) => name === 'a.zip')).toMatchObject(a);
      await make(records, removalOf('a.zip'));
      expect((await files()).map(({ name }) => name)).toEqual(['b.zip']);
      const entry = { action: 'archive.remove', target: 'store/games/a.zip', detail: null };
      expect(await lastAudit(engine)).toMatchObject(entry);
    });
  });

  describe.each(lossesOfRight)('a reservation after the user $loss', ({ take, kind }) => {
    test('is refused', async () => {
      const { engine, records } = await create();
      const actor = await addRightful(engine, 'editor');
      await engine.write((trx) => take(trx, actor));
      const reserved = records.reserve(uploadOf('a.zip'), actor, owner, 1000);
      await expect(reserved).rejects.toMatchObject({ kind });
      expect(await records.listReservations()).toEqual([]);
    });

    test('is not confirmed for the request, but for a recovery', async () => {
      const { engine, records, files } = await create();
      const actor = await addRightful(engine, 'editor');
      const response = await records.reserve(uploadOf('a.zip'), actor, owner, 1000);
      if (!('reserved' in response)) throw new Error('it was held');
      await engine.write((trx) => take(trx, actor));
      const stored = { name: 'a.zip', size: 3, mtimeNs: 1n, etag: '"x"' };
      const confirmed = records.confirm(response.reserved, stored, actor, 1000);
      await expect(confirmed).rejects.toMatchObject({ kind });
      expect(await files()).toEqual([]);
      expect(await records.listReservations()).toEqual([response.reserved]);
      expect(await records.confirm(response.reserved, stored, null, 1000)).toBe(true);
      expect(await lastAudit(engine)).toMatchObject({ username: 'someone' });
    });
  });
}
