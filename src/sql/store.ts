import type { Clock } from '../core/shared/clock.ts';
import { type Area, areas } from '../core/store/area.ts';
import type { ArchiveChange, StoreRecords } from '../core/store/ports.ts';
import { recordAudit } from './audit.ts';
import type { Database, Engine } from './engine.ts';
import { type Confirmed, SqlFileReservations } from './file-reservations.ts';
import type { NotedWrites } from './noted-writes.ts';

/** What the database keeps of the store beside its files: downloads. */
export class SqlStoreRecords implements StoreRecords {
  readonly #notes: NotedWrites;
  readonly #clock: Clock;

  constructor(parts: { notes: NotedWrites; clock: Clock }) {
    this.#notes = parts.notes;
    this.#clock = parts.clock;
  }

  noteDownload(event: { userId: number | null; area: Area; name: string; bytes: number }): void {
    const values = {
      user_id: event.userId,
      area: event.area,
      name: event.name,
      bytes: event.bytes,
      created_at: this.#clock.timestamp(),
    };
    this.#notes.add(async (trx) => {
      await trx.insertInto('download_event').values(values).execute();
    });
  }
}

/** The reservations of archives; a confirmed one is in the audit. */
export function archiveReservations(parts: {
  engine: Engine;
  clock: Clock;
}): SqlFileReservations<ArchiveChange> {
  return new SqlFileReservations({ ...parts, areas, record: recordArchive });
}

async function recordArchive(
  trx: Database,
  { change: { target, file }, actor, reservedAt }: Confirmed<ArchiveChange>,
): Promise<void> {
  const action = file === null ? 'archive.remove' : 'archive.upload';
  const detail = file === null ? undefined : { size: file.size, sha256: file.sha256 };
  await recordAudit(trx, reservedAt, actor, action, target, detail);
}
