import { OldRecords } from '../../core/audit/old-records.ts';
import { SqlAuditRecords } from '../../sql/audit/audit-list.ts';
import { SqlOldRecordRemovals } from '../../sql/audit/old-records.ts';
import type { Base } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../opened.ts';

/** Opens the audit records, and the service that removes old audit entries and download records. */
export function openAudit({
  config,
  log,
  engine,
  notes,
  clock,
  leases,
  parts,
}: Base): Pick<Catalog, 'audit' | 'oldRecords'> {
  const oldRecords = new OldRecords({
    removals: new SqlOldRecordRemovals({ engine }),
    keptFor: { audit: config.keepAudit, downloads: config.keepDownloads },
    leases,
    clock,
    onFailure: (error) =>
      log.warn({ err: error }, 'could not remove old audit entries or download records'),
  });
  parts.opened(oldRecords, close);
  return { audit: new SqlAuditRecords({ engine, notes }), oldRecords };
}
