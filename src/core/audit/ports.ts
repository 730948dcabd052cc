import type { NewestPage } from '../shared/newest-page.ts';
import type { Actor } from '../shared/requests/actor.ts';

/** A recorded action. The transaction that makes the change also writes this entry. */
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
  /** The object that was changed, such as `release/12`. */
  readonly target: string;
  /** Further details of the change; null if there are none. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** Selects entries with exactly these values. A field that is "" matches every entry. */
export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

/** Reads the audit. Each entry is written by the transaction whose change it records. */
export interface AuditRecords {
  list(filter: AuditFilter, page: NewestPage): Promise<AuditEntry[]>;
}

/**
 * Removes old rows. Each method runs one transaction, which removes up to `max` rows older than the
 * timestamp `before`, oldest first. It returns the number of removed rows.
 */
export interface OldRecordRemovals {
  removeAudit(before: string, max: number): Promise<number>;
  /** Removes download records. The statistics continue to include the removed downloads. */
  removeDownloads(before: string, max: number): Promise<number>;
}
