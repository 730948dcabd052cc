import { Dashboard } from '../../core/stats/dashboard.ts';
import { Stats } from '../../core/stats/stats.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { SqlStatsRecords } from '../../sql/stats/stats-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import type { Storage } from '../storage.ts';

/** Assembles the statistics and the dashboard. */
export function openStats(
  { config, engine, deferredWrites, clock }: BaseServices,
  { files: { areas, covers } }: Storage,
): Pick<Catalog, 'stats' | 'dashboard'> {
  const records = new SqlStatsRecords({ engine, deferredWrites });
  return {
    stats: new Stats({ records, covers }),
    dashboard: new Dashboard({
      downloads: records,
      areas,
      covers,
      freeBytes: () => freeBytes(config.data),
      clock,
    }),
  };
}
