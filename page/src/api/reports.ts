import { type AnswerOf, ask } from './request.ts';

export type DashboardFigures = AnswerOf<'getDashboard'>;
export type Stats = AnswerOf<'getStats'>;
export type AuditEntry = AnswerOf<'getAudit'>['items'][number];
export type Download = AnswerOf<'getAuthDownloads'>['items'][number];

/** Maximum number of entries per page. A page with fewer entries is the last page. */
export const entriesAtOnce = 50;

export interface AuditFilter {
  readonly action: string;
  readonly username: string;
  readonly target: string;
}

export async function readDashboard(
  signal: AbortSignal,
): Promise<{ figures: DashboardFigures; stats: Stats }> {
  const [figures, stats] = await Promise.all([
    ask('GET', '/api/dashboard', { signal }),
    ask('GET', '/api/stats', { signal }),
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
  const query = { ...filter, before, limit: entriesAtOnce };
  const asked = { query, ...(signal && { signal }) };
  return (await ask('GET', '/api/audit', asked)).items;
}

/**
 * Returns one page of the current user's downloads, newest first. With `before`, only downloads
 * with a lower id are returned.
 */
export async function listOwnDownloads(
  before: number | undefined,
  signal?: AbortSignal,
): Promise<readonly Download[]> {
  const asked = { query: { before, limit: entriesAtOnce }, ...(signal && { signal }) };
  return (await ask('GET', '/api/auth/downloads', asked)).items;
}
