import type { Actor } from '../shared/actor.ts';
import type { NewestPage } from '../shared/newest-page.ts';

/** A recorded action. It is written by the same transaction as the change that it records. */
export interface AuditEntry {
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: Actor['kind'];
  /** The name of the actor; null for the system. */
  readonly username: string | null;
  /** The IP address of the actor; null unless the actor is a user. */
  readonly address: string | null;
  /** Name of the action, such as `release.edit`. */
  readonly action: string;
  /** The thing that was changed, such as `release/12`. */
  readonly target: string;
  /** Further details of the change; null if there are none. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** Selects entries whose fields equal these. A field that is "" matches every entry. */
export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

/** Reads the audit. Entries are written by the transactions that they record. */
export interface AuditRecords {
  list(filter: AuditFilter, page: NewestPage): Promise<AuditEntry[]>;
}

/**
 * Removes old rows. Each method removes rows older than the timestamp `before`, oldest first and at
 * most `max`, in one transaction. It returns how many rows it removed.
 */
export interface OldRecordRemovals {
  removeAudit(before: string, max: number): Promise<number>;
  /** Removes download records. The statistics continue to include the removed downloads. */
  removeDownloads(before: string, max: number): Promise<number>;
}
