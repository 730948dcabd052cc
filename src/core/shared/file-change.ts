import type { Actor } from './actor.ts';
import type { StoredFile } from './file-area.ts';

/** One version of a file, as it was taken in. */
export interface FileVersion {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** What changes together in an area: a file appears, names go, or both. */
export interface FileChange {
  /** What nobody else changes meanwhile, as the audit calls it: `store/games/x.iso`, `cover/12`. */
  readonly target: string;
  readonly area: string;
  /** What appears, in the place of a file of that name; null when names only go. */
  readonly file: FileVersion | null;
  /** Names that go, once the file is there. */
  readonly gone: readonly string[];
}

/** A change that was begun and is neither confirmed nor dropped. */
export interface Reservation<Change extends FileChange> {
  readonly id: number;
  /** The process that began it: host, process id and a random part. */
  readonly owner: string;
  readonly reservedAt: string;
  readonly change: Change;
}

/** What the database keeps of changes that are under way. Each method that writes is one short transaction. */
export interface ReservationRecords<Change extends FileChange> {
  /**
   * Reserves the target of a change for its owner. Returns the reservation; or the one that holds the target (null when
   * it went in the same moment). Throws `forbidden` or `not authenticated` for a user who may no longer write; `busy`
   * when the database takes no writes for `busyMs`.
   */
  reserve(
    change: Change,
    actor: Actor,
    owner: string,
    busyMs: number,
  ): Promise<{ own: Reservation<Change> } | { held: Reservation<Change> | null }>;
  /**
   * Records the change as made, with its actor, and ends the reservation. `stored` is the file that appeared. False when
   * the reservation is no longer there, and nothing is recorded. Throws `forbidden` or `not authenticated` when `actor`
   * has lost the right to write since; recovery names none, because it completes what was made.
   */
  confirm(
    reservation: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor | null,
    busyMs: number,
  ): Promise<boolean>;
  /** Ends a reservation whose change was not made. */
  drop(reservation: Reservation<Change>, busyMs: number): Promise<void>;
  /** Those that are there, in the order in which they came. */
  listReservations(): Promise<Reservation<Change>[]>;
}
