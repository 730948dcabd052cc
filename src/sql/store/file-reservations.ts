import type { Selectable } from 'kysely';
import type { Clock } from '../../core/shared/clock.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import type {
  FileChange,
  Reservation,
  ReservationRecords,
} from '../../core/shared/files/file-change.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { type Author, checkRight, recoveredAuthor, writeAs } from '../accounts/write-as.ts';
import { actorJson } from '../audit/audit.ts';
import type { Database, Engine } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

/** A confirmed file change, with the author and the time to record for the change. */
export interface Confirmed<Change> {
  readonly change: Change;
  readonly author: Author;
  readonly reservedAt: string;
}

/**
 * Stores the reservations of file changes in `areas`. When a change is confirmed, the files of the
 * change are recorded in `stored_file`.
 */
export class SqlFileReservations<Change extends FileChange> implements ReservationRecords<Change> {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #areas: readonly string[];
  readonly #record: (trx: Database, confirmed: Confirmed<Change>) => Promise<void>;

  constructor(parts: {
    engine: Engine;
    clock: Clock;
    areas: readonly string[];
    /** Adds the feature's own records of a change, in the transaction that confirms the change. */
    record: (trx: Database, confirmed: Confirmed<Change>) => Promise<void>;
  }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
    this.#areas = parts.areas;
    this.#record = parts.record;
  }

  reserve(
    change: Change,
    actor: Actor,
    owner: string,
    busyMs: number,
  ): Promise<{ reserved: Reservation<Change> } | { existing: Reservation<Change> | null }> {
    const reservedAt = this.#clock.timestamp();
    const work = async (trx: Database) => {
      const own = await trx
        .insertInto('file_reservation')
        .values({
          target: change.target,
          area: change.area,
          owner,
          reserved_at: reservedAt,
          actor: actorJson(actor),
          change: JSON.stringify(change),
        })
        .onConflict((conflict) => conflict.column('target').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (own !== undefined) return { reserved: { id: own.id, owner, reservedAt, change } };
      const existing = await trx
        .selectFrom('file_reservation')
        .selectAll()
        .where('target', '=', change.target)
        .executeTakeFirst();
      return { existing: existing === undefined ? null : toReservation<Change>(existing) };
    };
    return writeAs(this.#engine, { actor, at: reservedAt }, work, { busyMs });
  }

  confirm(
    { id, change, reservedAt }: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor | null,
    busyMs: number,
  ): Promise<boolean> {
    const at = this.#clock.timestamp();
    const work = async (trx: Database) => {
      if (actor !== null) await checkRight(trx, actor, at);
      const row = await trx
        .deleteFrom('file_reservation')
        .where('id', '=', id)
        .returning('actor')
        .executeTakeFirst();
      if (row === undefined) return false;
      await forgetFiles(trx, change);
      if (change.file !== null && stored !== null) {
        await recordFile(trx, change, { ...change.file, mtimeNs: stored.mtimeNs, reservedAt });
      }
      const author = recoveredAuthor(JSON.parse(row.actor));
      await this.#record(trx, { change, author, reservedAt });
      return true;
    };
    return this.#engine.write(work, { busyMs });
  }

  async exists({ id }: Reservation<Change>): Promise<boolean> {
    const row = await this.#engine.read
      .selectFrom('file_reservation')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  async drop({ id }: Reservation<Change>, busyMs: number): Promise<void> {
    const work = async (trx: Database) => {
      await trx.deleteFrom('file_reservation').where('id', '=', id).execute();
    };
    await this.#engine.write(work, { busyMs });
  }

  async listReservations(): Promise<Reservation<Change>[]> {
    const rows = await this.#engine.read
      .selectFrom('file_reservation')
      .selectAll()
      .where('area', 'in', this.#areas)
      .orderBy('id')
      .execute();
    return rows.map((row) => toReservation<Change>(row));
  }
}

function toReservation<Change extends FileChange>(
  row: Selectable<Tables['file_reservation']>,
): Reservation<Change> {
  const { id, owner, reserved_at, change } = row;
  return { id, owner, reservedAt: reserved_at, change: JSON.parse(change) };
}

async function forgetFiles(trx: Database, { area, gone }: FileChange): Promise<void> {
  if (gone.length === 0) return;
  await trx.deleteFrom('stored_file').where('area', '=', area).where('name', 'in', gone).execute();
}

async function recordFile(
  trx: Database,
  { area }: FileChange,
  file: { name: string; size: number; sha256: string; mtimeNs: bigint; reservedAt: string },
): Promise<void> {
  const { name, size, sha256, mtimeNs, reservedAt } = file;
  const values = { size, mtime_ns: mtimeNs, sha256, written_at: reservedAt };
  await trx
    .insertInto('stored_file')
    .values({ area, name, ...values })
    .onConflict((conflict) => conflict.columns(['area', 'name']).doUpdateSet(values))
    .execute();
}
