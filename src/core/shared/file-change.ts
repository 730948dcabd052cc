import type { Actor } from './actor.ts';
import type { StoredFile } from './file-area.ts';

/** One version of a file, as it was received. */
export interface FileVersion {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A change of files in one area: a file appears, names are removed, or both. */
export interface FileChange {
  /**
   * The target that is reserved during the change, as named in the audit: `store/games/x.iso`,
   * `cover/12`.
   */
  readonly target: string;
  readonly area: string;
  /** The file that appears, replacing any file of that name; null if names are only removed. */
  readonly file: FileVersion | null;
  /** Names to remove once the file is there. */
  readonly gone: readonly string[];
}

/** A change that was started and is neither confirmed nor dropped. */
export interface Reservation<Change extends FileChange> {
  readonly id: number;
  /** The process that started it: host, process id and a random part. */
  readonly owner: string;
  readonly reservedAt: string;
  readonly change: Change;
}

/**
 * The database records of changes that are in progress. Each method that writes is one short
 * transaction.
 */
export interface ReservationRecords<Change extends FileChange> {
  /**
   * Reserves the target of a change for its owner. Returns the reservation, or the one that holds
   * the target (null if it ended at that moment). Throws `forbidden` or `not authenticated` if the
   * user may no longer write. Throws `busy` if the database accepts no writes for `busyMs`.
   */
  reserve(
    change: Change,
    actor: Actor,
    owner: string,
    busyMs: number,
  ): Promise<{ own: Reservation<Change> } | { held: Reservation<Change> | null }>;
  /**
   * Records the change as made by its actor, and ends the reservation. `stored` is the file that
   * appeared. Returns false and records nothing if the reservation no longer exists. Throws
   * `forbidden` or `not authenticated` if `actor` has lost the right to write since. Recovery
   * passes no actor, because it completes a change that was made.
   */
  confirm(
    reservation: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor | null,
    busyMs: number,
  ): Promise<boolean>;
  /** Ends a reservation whose change was not made. */
  drop(reservation: Reservation<Change>, busyMs: number): Promise<void>;
  /** Returns the present reservations in the order in which they were made. */
  listReservations(): Promise<Reservation<Change>[]>;
}
