import { type Selectable, sql, type Updateable } from 'kysely';
import type { AfterAttempt } from '../../core/jobs/attempts.ts';
import { type Job, type JobProgress, type JobRecord, maxReason } from '../../core/jobs/job.ts';
import type { Database } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

const plainColumns = [
  ...(['id', 'kind', 'state', 'actor', 'owner', 'stopping', 'progress'] as const),
  ...(['started_at', 'heartbeat_at', 'finished_at'] as const),
  ...(['attempt', 'attempts', 'run', 'host'] as const),
] as const;

/**
 * Number of characters at the beginning of a report that are read for lists. JSON may need six
 * characters to escape one character of the reason.
 */
const readOfReport = 6 * maxReason + 20;

/** The kinds of jobs that have an option `set`. */
const builds: ReadonlySet<string> = new Set(['build', 'build-preview']);

/**
 * The columns of a job that lists show. Columns with possibly long contents are omitted. The report
 * of a job that is not done begins with the reason, so only its beginning is read.
 */
export const listedColumns = [
  ...plainColumns,
  sql<
    string | null
  >`CASE WHEN state <> 'done' THEN substr(report, 1, ${sql.lit(readOfReport)}) END`.as(
    'report_start',
  ),
  sql<string | null>`CASE WHEN kind IN (${sql.join([...builds].map(sql.lit))}) THEN options END`.as(
    'build_options',
  ),
] as const;

type ListedRow = Pick<Selectable<Tables['job']>, (typeof plainColumns)[number]> & {
  readonly report_start: string | null;
  readonly build_options: string | null;
};

/** Lists the jobs of these kinds, or of all kinds, that have not ended. */
export async function listUnended(db: Database, kinds?: readonly string[]): Promise<Job[]> {
  let query = db.selectFrom('job').select(listedColumns).where('state', 'in', unended);
  if (kinds !== undefined) query = query.where('kind', 'in', kinds);
  return (await query.orderBy('id').execute()).map(toJob);
}

const unended = ['queued', 'running'] as const;

/**
 * Ends the present attempt of a job. Does nothing if another process has changed the job's state,
 * run or owner since `job` was read.
 */
export async function applyEnd(
  trx: Database,
  job: Job,
  next: AfterAttempt,
  at: string,
): Promise<void> {
  const report = JSON.stringify({ error: next.reason });
  const { id, state, run, owner } = job;
  await trx
    .updateTable('job')
    .set({ state: next.state, report, heartbeat_at: at, ...timesOf(trx, next, at) })
    .where('id', '=', id)
    .where('state', '=', state)
    .where('run', '=', run)
    .where('owner', '=', owner)
    .execute();
}

function timesOf(trx: Database, next: AfterAttempt, at: string) {
  if (next.state !== 'queued') return { finished_at: at, due_at: null };
  const due_at = sql<number>`${trx.dialect.now} + ${next.pauseMs}`;
  return { attempt: next.attempt, due_at };
}

/**
 * Updates a job only while the job is running. If `owner` is passed, the job must also have this
 * owner. Returns true if the job was updated. Therefore, a process cannot change a job that another
 * process has already ended or taken over.
 */
export async function updateRunning(
  trx: Database,
  id: number,
  values: Updateable<Tables['job']>,
  owner?: string,
): Promise<boolean> {
  let query = trx
    .updateTable('job')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'running');
  if (owner !== undefined) query = query.where('owner', '=', owner);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Converts a row to a job. */
export function toJob(row: ListedRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    actor: JSON.parse(row.actor),
    startedAt: row.started_at,
    owner: row.owner,
    heartbeatAt: row.heartbeat_at,
    finishedAt: row.finished_at,
    isStopping: row.stopping,
    progress: parsed(row.progress) as JobProgress | null,
    attempt: row.attempt,
    attempts: row.attempts,
    run: row.run,
    host: row.host,
    reason: reasonIn(row.report_start),
    setId: setIn(row.build_options),
  };
}

function setIn(options: string | null): number | null {
  if (options === null) return null;
  const { set } = JSON.parse(options) as { readonly set?: unknown };
  return typeof set === 'number' ? set : null;
}

/**
 * Returns the error at the beginning of a report, cut to `maxReason` characters. The report of a
 * job that is not done is `{"error":"…"}`. `report` may lack the end of this text.
 */
function reasonIn(report: string | null): string | null {
  const [, escaped] = /^\{"error":"((?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*)/.exec(report ?? '') ?? [];
  if (escaped === undefined) return null;
  const letters = [...(JSON.parse(`"${escaped}"`) as string)];
  return letters.length <= maxReason
    ? letters.join('')
    : `${letters.slice(0, maxReason - 1).join('')}…`;
}

/** Converts a complete row to a job with its options, report and step. */
export function toJobRecord(row: Selectable<Tables['job']>): JobRecord {
  return {
    ...toJob({
      ...row,
      report_start: row.state === 'done' ? null : row.report,
      build_options: builds.has(row.kind) ? row.options : null,
    }),
    options: JSON.parse(row.options),
    report: parsed(row.report),
    step: parsed(row.step),
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
