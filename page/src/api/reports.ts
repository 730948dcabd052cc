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

export async function readDashboard(
  signal: AbortSignal,
): Promise<{ figures: DashboardFigures; stats: Stats }> {
  const [figures, stats] = await Promise.all([
    requestJson('GET', '/api/dashboard', { signal }),
    requestJson('GET', '/api/stats', { signal }),
  ]);
  return { figures, stats };
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
  const asked = { query, ...(signal && { signal }) };
  return (await requestJson('GET', '/api/audit', asked)).items;
}

/**
 * Returns one page of the current user's downloads, newest first. With `before`, only downloads
 * with a lower id are returned.
 */
export async function listOwnDownloads(
  before: number | undefined,
  signal?: AbortSignal,
): Promise<readonly Download[]> {
  const asked = { query: { before, limit: entriesPageSize }, ...(signal && { signal }) };
  return (await requestJson('GET', '/api/auth/downloads', asked)).items;
}
