import type { Actor } from '../requests/actor.ts';
import type { StoredFile } from './file-area.ts';

/** One version of a file, identified by its name and content. */
export interface FileVersion {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A change of files in one area. The change adds a file, or removes names, or both. */
export interface FileChange {
  /**
   * The thing that is reserved during the change, written as in the audit log: `store/games/x.iso`,
   * `cover/12`.
   */
  readonly target: string;
  readonly area: string;
  /**
   * The file that the change adds, which replaces any file of the same name. Null if the change
   * only removes names.
   */
  readonly file: FileVersion | null;
  /** The names to remove after the file was added. */
  readonly gone: readonly string[];
}

/** A change that was started, and has been neither confirmed nor dropped yet. */
export interface Reservation<Change extends FileChange> {
  readonly id: number;
  /**
   * The process that started the change. The text consists of the host, the process id and a random
   * part.
   */
  readonly owner: string;
  readonly reservedAt: string;
  readonly change: Change;
}

/**
 * The database records of file changes in progress. Each method that writes is one short
 * transaction.
 */
export interface ReservationRecords<Change extends FileChange> {
  /**
   * Reserves the target of a change for `owner`, and returns the reservation as `reserved`. If the
   * target is already reserved, returns the reservation as `existing`. `existing` is null if the
   * existing reservation has just ended. Throws `forbidden` or `not authenticated` if the user no
   * longer has the right to write. Throws `busy` if the database accepts no writes for `busyMs`
   * milliseconds.
   */
  reserve(
    change: Change,
    actor: Actor,
    owner: string,
    busyMs: number,
  ): Promise<{ reserved: Reservation<Change> } | { existing: Reservation<Change> | null }>;
  /**
   * Records that the actor made the change, and ends the reservation. `stored` is the file that the
   * change added. Returns false, and records nothing, if the reservation no longer exists. Throws
   * `forbidden` or `not authenticated` if `actor` no longer has the right to write. Recovery passes
   * null as `actor`, because the right was checked when the change was reserved.
   */
  confirm(
    reservation: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor | null,
    busyMs: number,
  ): Promise<boolean>;
  /** Returns true if the reservation still exists: no other process has recovered its change. */
  exists(reservation: Reservation<Change>): Promise<boolean>;
  /** Ends a reservation. The change of the reservation is not recorded. */
  drop(reservation: Reservation<Change>, busyMs: number): Promise<void>;
  /** Returns the current reservations, oldest first. */
  listReservations(): Promise<Reservation<Change>[]>;
}
