import { describe, expect, test } from 'vitest';
import type { CoverOrigin } from '../../../src/core/covers/cover-origin.ts';
import type { CoverChange, CoverRecords } from '../../../src/core/covers/ports.ts';
import { systemClock } from '../../../src/core/shared/clock.ts';
import { coverReservations, SqlCoverRecords } from '../../../src/sql/covers/cover-records.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { addRelease, lastAudit, make, removeRelease } from './stored-files.ts';

const source: CoverOrigin = { kind: 'source', from: 'https://example.org/a.png' };
const disc: CoverOrigin = { kind: 'disc', from: '/games/a.iso: ICON0.PNG' };
const namesOf = (releaseId: number) => ['png', 'jpg', 'webp'].map((type) => `${releaseId}.${type}`);

function putOf(releaseId: number, origin: CoverOrigin | null, type = 'png'): CoverChange {
  const name = `${releaseId}.${type}`;
  return {
    target: `cover/${releaseId}`,
    area: 'covers',
    file: { name, size: 3, sha256: 'a'.repeat(64) },
    gone: namesOf(releaseId).filter((other) => other !== name),
    cover: { releaseId, origin },
  };
}

function removalOf(releaseId: number): CoverChange {
  const cover = { releaseId, origin: null };
  return { ...putOf(releaseId, null), file: null, gone: namesOf(releaseId), cover };
}

/**
 * Contract of every `CoverRecords` adapter. Includes the changes that are recorded through
 * reservations.
 */
export function coverRecordsContract(open: () => Promise<Engine>): void {
  async function create() {
    const engine = await open();
    const records: CoverRecords = new SqlCoverRecords({ engine });
    const changes = coverReservations({ engine, clock: systemClock });
    const id = await addRelease(engine, 'A Game');
    return { engine, records, changes, id };
  }

  describe('the origin of a cover', () => {
    test('is returned with the file of the last cover, and is null for an upload', async () => {
      const { records, changes, id } = await create();
      expect(await records.findOrigin(id)).toBeNull();
      await make(changes, putOf(id, disc), { mtimeNs: 5n });
      const png = { name: `${id}.png`, size: 3, mtimeNs: 5n };
      expect(await records.findOrigin(id)).toEqual({ ...disc, ...png });
      await make(changes, putOf(id, source, 'webp'), { mtimeNs: 2n ** 60n + 1n });
      const webp = { name: `${id}.webp`, size: 3, mtimeNs: 2n ** 60n + 1n };
      expect(await records.findOrigin(id)).toEqual({ ...source, ...webp });
      await make(changes, putOf(id, null));
      expect(await records.findOrigin(id)).toBeNull();
    });

    test('is deleted with the cover', async () => {
      const { engine, records, changes, id } = await create();
      await make(changes, putOf(id, source));
      await make(changes, removalOf(id));
      expect(await records.findOrigin(id)).toBeNull();
      expect(await engine.read.selectFrom('stored_file').selectAll().execute()).toEqual([]);
    });
  });

  describe('a removal of a cover', () => {
    test('stays recorded until a cover of any origin is recorded', async () => {
      const { engine, records, changes, id } = await create();
      const other = await addRelease(engine, 'Other Game');
      expect(await records.wasRemoved(id)).toBe(false);
      for (const origin of [null, source, disc]) {
        await make(changes, putOf(id, null));
        await make(changes, removalOf(id));
        expect([await records.wasRemoved(id), await records.wasRemoved(other)]).toEqual([
          true,
          false,
        ]);
        await make(changes, putOf(id, origin));
        expect(await records.wasRemoved(id)).toBe(false);
      }
    });

    test('is recorded with its time and user, even if it is the second one', async () => {
      const { engine, changes, id } = await create();
      for (const username of ['first', 'second']) {
        await make(changes, removalOf(id), { actor: { kind: 'cli', username } });
        const rows = await engine.read.selectFrom('cover_removal').selectAll().execute();
        const { at } = await lastAudit(engine);
        expect(rows).toEqual([{ release_id: id, removed_at: at, removed_by: username }]);
      }
    });

    test('stays recorded while a cover is reserved, and after the reservation ends', async () => {
      const { records, changes, id } = await create();
      await make(changes, removalOf(id));
      const response = await changes.reserve(putOf(id, null), { kind: 'system' }, 'owner', 1000);
      if (!('reserved' in response)) throw new Error('it was held');
      expect(await records.wasRemoved(id)).toBe(true);
      await changes.drop(response.reserved, 1000);
      expect(await records.wasRemoved(id)).toBe(true);
    });
  });

  test('accepts changes for a deleted release without recording origin or removal', async () => {
    const { engine, records, changes, id } = await create();
    await removeRelease(engine, id);
    expect(await make(changes, putOf(id, source))).toBe(true);
    expect(await make(changes, removalOf(id))).toBe(true);
    expect([await records.findOrigin(id), await records.wasRemoved(id)]).toEqual([null, false]);
  });

  test('distinguishes uploads, sources, discs, removals and bundles in the audit', async () => {
    const { engine, changes, id } = await create();
    const auditOf = async (change: CoverChange) => {
      await make(changes, change);
      const { action, target, detail } = await lastAudit(engine);
      return [action, target, detail];
    };
    const put = { size: 3, sha256: 'a'.repeat(64) };
    const cover = `cover/${id}`;
    expect(await auditOf(putOf(id, null))).toEqual(['cover.upload', cover, put]);
    const fromSource = { ...put, from: source.from };
    expect(await auditOf(putOf(id, source))).toEqual(['cover.source', cover, fromSource]);
    expect(await auditOf(putOf(id, disc))).toEqual([
      'cover.disc',
      cover,
      { ...put, from: disc.from },
    ]);
    expect(await auditOf(removalOf(id))).toEqual(['cover.remove', cover, null]);
    const file = { name: 'all.zip', ...put };
    const bundle = { target: 'covers/all.zip', area: 'covers', file, gone: [], cover: null };
    expect(await auditOf(bundle)).toEqual(['cover.bundle', 'covers/all.zip', put]);
  });
}
