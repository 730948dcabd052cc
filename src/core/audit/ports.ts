import type { Actor } from '../shared/actor.ts';
import type { NewestPage } from '../shared/newest-page.ts';

/** A recorded action, stored in the transaction of the write itself. */
export interface AuditEntry {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: Actor['kind'];
  /** Null for the system. */
  readonly username: string | null;
  /** The IP address of the actor; null for all but users. */
  readonly address: string | null;
  /** e.g. `release.edit`. */
  readonly action: string;
  /** e.g. `release/12`. */
  readonly target: string;
  /** The details of the change; null when the action says it all. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** Which entries to list, each field compared exactly; "" for all. */
export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

/** The audit, for reading only: each feature records its own writes. */
export interface AuditRecords {
  list(filter: AuditFilter, page: NewestPage): Promise<AuditEntry[]>;
}

/**
 * Each method removes rows older than a timestamp, the oldest first and at most `max`, in one
 * transaction. It returns how many it removed.
 */
export interface OldRecordRemovals {
  removeAudit(before: string, max: number): Promise<number>;
  /** The statistics still count the removed downloads. */
  removeDownloads(before: string, max: number): Promise<number>;
}
