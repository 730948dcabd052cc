import type { FileChange, ReservationRecords } from '../../../src/core/shared/files/file-change.ts';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import type { Actor } from '../../../src/core/shared/requests/actor.ts';
import type { ArchiveChange } from '../../../src/core/store/ports.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';

export const system: Actor = { kind: 'system' };
export const owner = 'host.1.0';

/** Returns an upload of this size. Uploads of the same size have the same checksum. */
export function uploadOf(name: string, size = 3, area: 'games' | 'videos' = 'games') {
  const file = { name, size, sha256: String(size).padStart(64, '0') };
  return { target: `store/${area}/${name}`, area, file, gone: [] } satisfies ArchiveChange;
}

export function removalOf(name: string) {
  const change = { target: `store/games/${name}`, area: 'games', file: null, gone: [name] };
  return change as typeof change & { area: 'games' };
}

/**
 * Reserves and confirms a change. `mtimeNs` is the modification time of the new file, in
 * nanoseconds.
 */
export async function make<Change extends FileChange>(
  records: ReservationRecords<Change>,
  change: Change,
  { actor = system, mtimeNs = 1n }: { actor?: Actor; mtimeNs?: bigint } = {},
): Promise<boolean> {
  const response = await records.reserve(change, actor, owner, 1000);
  if (!('reserved' in response)) throw new Error(`${change.target} is held`);
  const { file } = change;
  const stored = file && { name: file.name, size: file.size, mtimeNs, etag: '"x"' };
  return records.confirm(response.reserved, stored, actor, 1000);
}

/**
 * Adds a release. If `platform` is not null, also adds this platform and assigns the release to it.
 */
export function addRelease(
  engine: Engine,
  name: string,
  { platform = null, system = 'games' }: { platform?: string | null; system?: string } = {},
): Promise<number> {
  return engine.write(async (trx) => {
    const own =
      platform &&
      (await trx
        .insertInto('platform')
        .values({ key: platform, name: platform })
        .returning('id')
        .executeTakeFirstOrThrow());
    const values = { ...emptyTexts, system, name };
    const { id } = await trx
      .insertInto('release')
      .values({ ...values, platform_id: own ? own.id : null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

export async function removeRelease(engine: Engine, id: number): Promise<void> {
  await engine.write((trx) => trx.deleteFrom('release').where('id', '=', id).execute());
}

/** Returns the newest audit entry without its id. */
export async function lastAudit(engine: Engine) {
  const { id: _, ...entry } = await engine.read
    .selectFrom('audit')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...entry, detail: entry.detail === null ? null : JSON.parse(entry.detail) };
}
