import type { Actor } from './actor.ts';
import type { StoredFile } from './file-area.ts';

/** One version of a file, identified by its name and content. */
export interface FileVersion {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A change of files in one area. A file appears, or names are removed, or both. */
export interface FileChange {
  /**
   * The thing that is reserved during the change, named as in the audit: `store/games/x.iso`,
   * `cover/12`.
   */
  readonly target: string;
  readonly area: string;
  /**
   * The file that appears and replaces any file of the same name. Null if names are only removed.
   */
  readonly file: FileVersion | null;
  /** The names to remove after the file has appeared. */
  readonly gone: readonly string[];
}

/** A change that was started, and was neither confirmed nor dropped yet. */
export interface Reservation<Change extends FileChange> {
  readonly id: number;
  /**
   * The process that started the change, identified by its host, its process id and a random part.
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
   * Reserves the target of a change for `owner` and returns the reservation as `own`. If the target
   * is already reserved, returns that reservation as `held`; null if it has just ended. Throws
   * `forbidden` or `not authenticated` if the user no longer has the right to write. Throws `busy`
   * if the database accepts no writes for `busyMs` milliseconds.
   */
  reserve(
    change: Change,
    actor: Actor,
    owner: string,
    busyMs: number,
  ): Promise<{ own: Reservation<Change> } | { held: Reservation<Change> | null }>;
  /**
   * Records that the actor made the change, and ends the reservation. `stored` is the file that
   * appeared. Returns false, and records nothing, if the reservation no longer exists. Throws
   * `forbidden` or `not authenticated` if `actor` no longer has the right to write. Recovery passes
   * no actor, because it completes a change whose right was already checked.
   */
  confirm(
    reservation: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor | null,
    busyMs: number,
  ): Promise<boolean>;
  /** Ends a reservation whose change was not made. */
  drop(reservation: Reservation<Change>, busyMs: number): Promise<void>;
  /** Returns the current reservations, oldest first. */
  listReservations(): Promise<Reservation<Change>[]>;
}
