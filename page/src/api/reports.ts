import { listFailedJobs } from './jobs.ts';
import { listPlatforms, readFileCounts } from './library.ts';
import { type ResponseOf, requestJson } from './request.ts';

export type DashboardFigures = ResponseOf<'getDashboard'>;
export type Stats = ResponseOf<'getStats'>;
export type AuditEntry = ResponseOf<'getAudit'>['items'][number];
export type Download = ResponseOf<'getAuthDownloads'>['items'][number];

/** Maximum number of entries per page. A page with fewer entries is the last page. */
export const entriesPageSize = 50;

export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

/** Numbers of releases and files that show how complete and how healthy a collection is. */
export interface CollectionFigures {
  readonly owned: number;
  readonly verified: number;
  readonly undecided: number;
  readonly failedJobs: number;
}

export async function readDashboard(
  signal: AbortSignal,
): Promise<{ figures: DashboardFigures; stats: Stats; collection: CollectionFigures }> {
  const [figures, stats, platforms, counts, failed] = await Promise.all([
    requestJson('GET', '/api/dashboard', { signal }),
    requestJson('GET', '/api/stats', { signal }),
    listPlatforms(signal),
    readFileCounts(signal),
    listFailedJobs(signal),
  ]);
  const collection = {
    owned: platforms.reduce((sum, { have }) => sum + have, 0),
    verified: platforms.reduce((sum, { verified }) => sum + verified, 0),
    undecided: counts?.ambiguous ?? 0,
    failedJobs: failed.length,
  };
  return { figures, stats, collection };
}

/**
 * Returns one page of audit entries, newest first. With `before`, only entries with a lower id are
 * returned.
 */
export async function listAudit(
  filter: AuditFilter,
  before: number | undefined,
  signal?: AbortSignal,
): Promise<readonly AuditEntry[]> {
  const query = { ...filter, before, limit: entriesPageSize };
  const options = { query, ...(signal && { signal }) };
  return (await requestJson('GET', '/api/audit', options)).items;
}

/**
 * Returns one page of the current user's downloads, newest first. With `before`, only downloads
 * with a lower id are returned.
 */
export async function listOwnDownloads(
  before: number | undefined,
  signal?: AbortSignal,
): Promise<readonly Download[]> {
  const options = { query: { before, limit: entriesPageSize }, ...(signal && { signal }) };
  return (await requestJson('GET', '/api/auth/downloads', options)).items;
}
