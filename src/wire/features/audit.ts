import { OldRecordSweeper } from '../../core/audit/old-record-sweeper.ts';
import { SqlAuditRecords } from '../../sql/audit/audit-list.ts';
import { SqlOldRecordRemovals } from '../../sql/audit/old-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../resource-stack.ts';

/** Opens the audit records, and the service that removes old audit entries and download records. */
export function openAudit({
  config,
  log,
  engine,
  deferredWrites,
  clock,
  leases,
  parts,
}: BaseServices): Pick<Catalog, 'audit' | 'oldRecords'> {
  const oldRecords = new OldRecordSweeper({
    removals: new SqlOldRecordRemovals({ engine }),
    retention: { audit: config.keepAudit, downloads: config.keepDownloads },
    leases,
    clock,
    onFailure: (error) =>
      log.warn({ err: error }, 'could not remove old audit entries or download records'),
  });
  parts.track(oldRecords, close);
  return { audit: new SqlAuditRecords({ engine, deferredWrites }), oldRecords };
}
