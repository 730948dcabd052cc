import { sql } from 'kysely';
import type { Clock } from '../../core/shared/clock.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import type { ReleaseNames } from '../../core/store/archive-name.ts';
import { type Area, areas } from '../../core/store/area.ts';
import type { ArchiveChange, NearName, StoreRecords } from '../../core/store/ports.ts';
import { recordAudit } from '../audit/audit.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { incrementPartRevision } from '../engine/part-revisions.ts';
import { type Confirmed, SqlFileReservations } from './file-reservations.ts';
import { findChecksums } from './find-checksums.ts';

/**
 * Number of names that are read on each side of a text: before and after it. In all known
 * catalogues, fewer names begin with the same text.
 */
const eachSide = 32;

/**
 * Stores records about archives: downloads, checksums, and the names that archives may match. The
 * archive files are stored elsewhere.
 */
export class SqlStoreRecords implements StoreRecords {
  readonly #engine: Engine;
  readonly #deferredWrites: DeferredWrites;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; deferredWrites: DeferredWrites; clock: Clock }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
    this.#clock = parts.clock;
  }

  recordDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void {
    const values = {
      user_id: event.userId,
      area: event.area,
      name: event.name,
      bytes: event.bytes,
      created_at: this.#clock.timestamp(),
    };
    this.#deferredWrites.add(async (trx) => {
      await trx.insertInto('download_event').values(values).execute();
    });
  }

  findChecksums(area: Area, files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>> {
    return findChecksums(this.#engine.read, area, files);
  }

  async listBySize(area: Area, size: number): Promise<string[]> {
    const rows = await this.#engine.read
      .selectFrom('stored_file')
      .select('name')
      .where('area', '=', area)
      .where('size', '=', size)
      .orderBy('name')
      .limit(100)
      .execute();
    return rows.map(({ name }) => name);
  }

  namesNear(text: string): Promise<NearName[]> {
    return namesNear(this.#engine.read, text);
  }

  async namesOf(releases: readonly number[]): Promise<ReadonlyMap<number, ReleaseNames>> {
    const { read } = this.#engine;
    const ids = read.dialect.list(releases, 'integer');
    const rows = await sql<{ id: number; name: string; is_rom: number }>`
      SELECT id, name, 0 AS is_rom FROM release WHERE id IN ${ids}
      UNION ALL SELECT release_id, name, 0 FROM source_row WHERE release_id IN ${ids}
      UNION ALL SELECT release_id, name, 1 FROM rom WHERE release_id IN ${ids}`.execute(read);
    const names = new Map<number, { titles: string[]; roms: string[] }>();
    for (const { id, name, is_rom } of rows.rows) {
      const of = names.get(id) ?? { titles: [], roms: [] };
      (is_rom === 1 ? of.roms : of.titles).push(name);
      names.set(id, of);
    }
    return names;
  }
}

/**
 * Returns the reservations for changes of archives. The confirmation of a change adds an audit
 * entry.
 */
export function archiveReservations(parts: {
  engine: Engine;
  clock: Clock;
}): SqlFileReservations<ArchiveChange> {
  return new SqlFileReservations({ ...parts, areas, record: recordArchive });
}

async function recordArchive(
  trx: Database,
  { change: { target, file }, author, reservedAt }: Confirmed<ArchiveChange>,
): Promise<void> {
  const action = file === null ? 'archive.remove' : 'archive.upload';
  const detail = file === null ? undefined : { size: file.size, sha256: file.sha256 };
  await recordAudit(trx, reservedAt, author, action, target, detail);
  await incrementPartRevision(trx, 'archives');
}

/**
 * Returns the names that sort directly before and after a text, from the tables `release`,
 * `source_row` and `rom`; see `StoreRecords.namesNear`.
 */
export async function namesNear(db: Database, text: string): Promise<NearName[]> {
  const sides = ['release', 'source_row', 'rom'].flatMap((table) => [
    oneSide(db, table, text, 'from'),
    oneSide(db, table, text, 'below'),
  ]);
  const { rows } = await sql<{ name: string; is_rom: number; id: number; release: string }>`
    SELECT near.name, near.is_rom, listed_release.id, listed_release.name AS release
    FROM (${sql.join(sides, sql` UNION `)}) AS near
    JOIN listed_release ON listed_release.id = near.release_id`.execute(db);
  return rows.map(({ name, is_rom, id, release }) => {
    return { name, isRom: is_rom === 1, release: { id, name: release } };
  });
}

function oneSide({ dialect }: Database, table: string, text: string, side: 'from' | 'below') {
  const id = sql.ref(table === 'release' ? 'id' : 'release_id');
  const isRom = sql.lit(table === 'rom' ? 1 : 0);
  const name = sql.ref('name');
  const [comparison, order] =
    side === 'from'
      ? [sql`>=`, dialect.textOrder(name)]
      : [sql`<`, dialect.textOrder(name, 'desc')];
  return sql`SELECT * FROM (
    SELECT name, ${isRom} AS is_rom, ${id} AS release_id FROM ${sql.table(table)}
    WHERE (${dialect.textOrder(name)}) ${comparison} (${dialect.textOrder(text)})
    ORDER BY ${order} LIMIT ${eachSide}) AS side`;
}
