import type { Actor } from '../shared/actor.ts';
import type { NewestPage } from '../shared/newest-page.ts';

/** Something that somebody did, as it was recorded with the write itself. */
export interface AuditEntry {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: Actor['kind'];
  /** Null for the system. */
  readonly username: string | null;
  /** From where; null for all but users. */
  readonly address: string | null;
  /** e.g. `release.edit`. */
  readonly action: string;
  /** e.g. `release/12`. */
  readonly target: string;
  /** What changed; null when the action says it all. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** Which entries, each compared exactly; "" for all. */
export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

/** What was recorded, for reading only: each feature records its own writes. */
export interface AuditRecords {
  list(filter: AuditFilter, page: NewestPage): Promise<AuditEntry[]>;
}

/**
 * Each method removes rows from before a timestamp, the oldest first and at most `max`, in one transaction. Returns how
 * many it removed.
 */
export interface OldRecordRemovals {
  removeAudit(before: string, max: number): Promise<number>;
  /** The statistics go on counting them. */
  removeDownloads(before: string, max: number): Promise<number>;
}
