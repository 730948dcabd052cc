import { sql } from 'kysely';
import type { AuditAction } from '../../core/audit/actions.ts';
import type { CoverOrigin } from '../../core/covers/cover-origin.ts';
import type { CoverChange, CoverRecords } from '../../core/covers/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import { actorName, recordAudit } from '../audit/audit.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { incrementPartRevision } from '../engine/part-revisions.ts';
import { type Confirmed, SqlFileReservations } from '../store/file-reservations.ts';
import { findChecksums } from '../store/find-checksums.ts';

/**
 * Stores where covers came from and which covers were removed. The cover files are stored
 * elsewhere.
 */
export class SqlCoverRecords implements CoverRecords {
  readonly #engine: Engine;

  constructor(parts: { engine: Engine }) {
    this.#engine = parts.engine;
  }

  async findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null> {
    const row = await this.#engine.read
      .selectFrom('cover_origin')
      .innerJoin('stored_file', (join) =>
        join.onRef('stored_file.name', '=', 'cover_origin.name').on('area', '=', 'covers'),
      )
      .select(['kind', 'origin', 'stored_file.name', 'size', 'mtime_ns'])
      .where('release_id', '=', releaseId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { kind, origin, name, size, mtime_ns } = row;
    return { kind, from: origin, name, size, mtimeNs: BigInt(mtime_ns) };
  }

  async wasRemoved(releaseId: number): Promise<boolean> {
    const row = await this.#engine.read
      .selectFrom('cover_removal')
      .select('release_id')
      .where('release_id', '=', releaseId)
      .executeTakeFirst();
    return row !== undefined;
  }

  findChecksums(files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>> {
    return findChecksums(this.#engine.read, 'covers', files);
  }
}

/**
 * Returns the reservations for changes of covers and bundles. The confirmation of a change adds an
 * audit entry, and records the origin or the removal of the cover.
 */
export function coverReservations(parts: {
  engine: Engine;
  clock: Clock;
}): SqlFileReservations<CoverChange> {
  return new SqlFileReservations({ ...parts, areas: ['covers'], record: recordChange });
}

async function recordChange(trx: Database, confirmed: Confirmed<CoverChange>): Promise<void> {
  const { change, author, reservedAt } = confirmed;
  const { target, file, cover } = change;
  const from = cover?.origin ? { from: cover.origin.from } : {};
  const detail = file === null ? undefined : { size: file.size, sha256: file.sha256, ...from };
  await recordAudit(trx, reservedAt, author, actionOf(change), target, detail);
  await incrementPartRevision(trx, 'covers');
  if (cover === null) return;
  const { releaseId, origin } = cover;
  await trx.deleteFrom('cover_origin').where('release_id', '=', releaseId).execute();
  await trx.deleteFrom('cover_removal').where('release_id', '=', releaseId).execute();
  if (file === null) await recordRemoval(trx, confirmed, releaseId);
  else if (origin !== null) await recordOrigin(trx, releaseId, file.name, origin);
}

function actionOf({ file, cover }: CoverChange): AuditAction {
  if (cover === null) return 'cover.bundle';
  return file === null ? 'cover.remove' : `cover.${cover.origin?.kind ?? 'upload'}`;
}

// The inserted row is selected from the release. If the release was deleted meanwhile, no row is
// inserted and no error occurs.

async function recordRemoval(
  trx: Database,
  { author, reservedAt }: Confirmed<CoverChange>,
  releaseId: number,
): Promise<void> {
  await sql`
    INSERT INTO cover_removal (release_id, removed_at, removed_by)
    SELECT id, ${reservedAt}, ${actorName(author)} FROM release WHERE id = ${releaseId}
  `.execute(trx);
}

async function recordOrigin(
  trx: Database,
  releaseId: number,
  name: string,
  { kind, from }: CoverOrigin,
): Promise<void> {
  await sql`
    INSERT INTO cover_origin (release_id, kind, origin, name)
    SELECT id, ${kind}, ${from}, ${name} FROM release WHERE id = ${releaseId}
  `.execute(trx);
}
