import { type SqlBool, sql } from 'kysely';
import { type AfterAttempt, longestPauseMs } from '../../core/jobs/attempts.ts';
import type { Job, JobProgress, JobRecord, JobState } from '../../core/jobs/job.ts';
import type { JobFilter, JobRecords, JobRun, Judge, NewJob } from '../../core/jobs/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { NewestPage } from '../../core/shared/newest-page.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { actorJson, recordAudit } from '../audit/audit.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { UniqueViolation } from '../engine/unique-violation.ts';
import {
  applyEnd,
  listedColumns,
  listUnended,
  toJob,
  toJobRecord,
  updateRunning,
} from './job-rows.ts';

export class SqlJobRecords implements JobRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async begin(request: NewJob, owner: string, judge: Judge): Promise<JobRun | { running: Job }> {
    for (;;) {
      try {
        return await this.#tryBegin(request, owner, judge);
      } catch (error) {
        // The unique index job_running rejected the insert: another process began a job of this
        // kind after the check. The next attempt finds that job.
        if (!(error instanceof UniqueViolation)) throw error;
      }
    }
  }

  #tryBegin(
    { kind, excludedBy = [], options, actor, attempts, host, ...rest }: NewJob,
    owner: string,
    judge: Judge,
  ): Promise<JobRun | { running: Job }> {
    const at = this.#clock.timestamp();
    const { yieldsToQueued, isElsewhere = false } = rest;
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      if (excludedBy.length > 0) await lockBeginnings(trx);
      for (const job of await listUnended(trx, [kind, ...excludedBy])) {
        const next = await judge(job);
        if (next !== null) await applyEnd(trx, job, next, at);
        const state = next?.state ?? job.state;
        if (state === 'running' || (state === 'queued' && yieldsToQueued)) return { running: job };
      }
      const job = await trx
        .insertInto('job')
        .values({
          kind,
          state: isElsewhere ? 'queued' : 'running',
          owner,
          actor: actorJson(actor),
          options: JSON.stringify(options),
          stopping: false,
          started_at: at,
          heartbeat_at: at,
          finished_at: null,
          progress: null,
          report: null,
          attempts,
          host,
          due_at: isElsewhere ? sql<number>`${trx.dialect.now}` : null,
          step: null,
        })
        .returning(['id', 'run'])
        .executeTakeFirstOrThrow();
      const hasOptions = Object.values(options).some((value) => value !== undefined);
      const detail = hasOptions ? options : undefined;
      await recordAudit(trx, at, author, `${kind}.start`, `job/${job.id}`, detail);
      return job;
    });
  }

  async beginNext(
    owner: string,
    host: string,
    excludedBy: (kind: string) => readonly string[],
  ): Promise<Job | null> {
    const queued = this.#engine.read.selectFrom('job').select('id').where('state', '=', 'queued');
    if ((await queued.limit(1).executeTakeFirst()) === undefined) return null;
    const at = this.#clock.timestamp();
    try {
      return await this.#engine.write((trx) => beginDue(trx, { owner, host, at, excludedBy }));
    } catch (error) {
      // The unique index job_running rejected the change: another process began a job of this kind.
      if (error instanceof UniqueViolation) return null;
      throw error;
    }
  }

  async adopt({ id, run }: JobRun, owner: string): Promise<JobRecord | null> {
    const values = { owner, heartbeat_at: this.#clock.timestamp() };
    await this.#engine.write((trx) =>
      trx
        .updateTable('job')
        .set(values)
        .where('id', '=', id)
        .where('run', '=', run)
        .where('state', '=', 'running')
        .execute(),
    );
    const job = await this.find(id);
    return job?.owner === owner && job.state === 'running' ? job : null;
  }

  async heartbeat(
    id: number,
    owner: string,
    { progress, ...rest }: { readonly progress: JobProgress | null; readonly step?: unknown },
  ): Promise<{ isStopping: boolean } | null> {
    const row = await this.#engine.single
      .updateTable('job')
      .set({
        heartbeat_at: this.#clock.timestamp(),
        progress: progress === null ? null : JSON.stringify(progress),
        ...('step' in rest && { step: JSON.stringify(rest.step) }),
      })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', '=', 'running')
      .returning('stopping')
      .executeTakeFirst();
    // On some engines, RETURNING returns a boolean column as a number, so the value is converted.
    return row === undefined ? null : { isStopping: Boolean(row.stopping) };
  }

  finish(id: number, state: JobState, report: unknown, owner?: string): Promise<boolean> {
    const finished_at = this.#clock.timestamp();
    const values = { state, finished_at, report: JSON.stringify(report) };
    return this.#engine.write((trx) => updateRunning(trx, id, values, owner));
  }

  endAttempt(
    which: JobRun | { readonly id: number; readonly owner: string },
    decide: (job: Job) => AfterAttempt,
  ): Promise<AfterAttempt | null> {
    const at = this.#clock.timestamp();
    return this.#engine.write(async (trx) => {
      let query = trx
        .selectFrom('job')
        .select(listedColumns)
        .where('id', '=', which.id)
        .where('state', '=', 'running');
      if ('run' in which) query = query.where('run', '=', which.run);
      else query = query.where('owner', '=', which.owner);
      const row = await query.modifyEnd(trx.dialect.lockRows).executeTakeFirst();
      if (row === undefined) return null;
      const job = toJob(row);
      const next = decide(job);
      await applyEnd(trx, job, next, at);
      return next;
    });
  }

  requestStop(id: number, actor: Actor, reason: string): Promise<void> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      const job = await trx
        .updateTable('job')
        .set({ stopping: true })
        .where('id', '=', id)
        .where('state', 'in', ['queued', 'running'])
        .where('stopping', '=', false)
        .returning(['kind', 'state'])
        .executeTakeFirst();
      if (job === undefined) return;
      if (job.state === 'queued') {
        const report = JSON.stringify({ error: reason });
        const values = { state: 'stopped', finished_at: at, due_at: null, report } as const;
        await trx.updateTable('job').set(values).where('id', '=', id).execute();
      }
      await recordAudit(trx, at, author, `${job.kind}.stop`, `job/${id}`);
    });
  }

  async reconcile(judge: Judge): Promise<void> {
    const judged = await Promise.all((await listUnended(this.#engine.read)).map(judge));
    if (judged.every((next) => next === null)) return;
    const at = this.#clock.timestamp();
    await this.#engine.write(async (trx) => {
      for (const job of await listUnended(trx)) {
        const next = await judge(job);
        if (next !== null) await applyEnd(trx, job, next, at);
      }
    });
  }

  async list({ state, kind }: JobFilter, { limit, before }: NewestPage): Promise<Job[]> {
    let query = this.#engine.read
      .selectFrom('job')
      .select(listedColumns)
      .orderBy('id', 'desc')
      .limit(limit);
    if (before !== null) query = query.where('id', '<', before);
    if (kind !== '') query = query.where('kind', '=', kind);
    if (state !== '') query = query.where('state', '=', state as JobState);
    return (await query.execute()).map(toJob);
  }

  async newestOfEachKind(): Promise<Job[]> {
    const query = this.#engine.read
      .selectFrom('job')
      .select(listedColumns)
      .where('id', 'in', (each) =>
        each.selectFrom('job').select(each.fn.max('id').as('id')).groupBy('kind'),
      )
      .orderBy('kind');
    return (await query.execute()).map(toJob);
  }

  async find(id: number): Promise<JobRecord | null> {
    const row = await this.#engine.read
      .selectFrom('job')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toJobRecord(row);
  }
}

/** The lease that transactions take to begin jobs; see `lockBeginnings`. */
const beginningLease = { name: 'beginning of jobs', holder: '', expires_at: 0 };

/**
 * Makes the transactions that call this function run one at a time. The unique index job_running
 * excludes only jobs of one kind. The lease exists only inside the transaction, but on every engine
 * the insert waits for a transaction that has inserted the same name.
 */
async function lockBeginnings(trx: Database): Promise<void> {
  await trx.insertInto('lease').values(beginningLease).execute();
  await trx.deleteFrom('lease').where('name', '=', beginningLease.name).execute();
}

/** Begins the queued job that has been due for the longest time; see `JobRecords.beginNext`. */
async function beginDue(
  trx: Database,
  {
    owner,
    host,
    at,
    excludedBy,
  }: { owner: string; host: string; at: string; excludedBy: (kind: string) => readonly string[] },
): Promise<Job | null> {
  const { now } = trx.dialect;
  await lockBeginnings(trx);
  const running = await trx
    .selectFrom('job')
    .select('kind')
    .where('state', '=', 'running')
    .execute();
  const blocked = running.flatMap(({ kind }) => [kind, ...excludedBy(kind)]);
  const row = await trx
    .selectFrom('job')
    .select(listedColumns)
    .where('state', '=', 'queued')
    .where('host', 'in', ['', host])
    // A job may be due later than the longest pause allows, if it was queued before the clock was
    // set back. Such a job counts as due.
    .where(sql<SqlBool>`(due_at <= ${now} OR due_at > ${now} + ${longestPauseMs})`)
    .$if(blocked.length > 0, (query) => query.where('kind', 'not in', blocked))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (row === undefined) return null;
  const run = row.run + 1;
  await trx
    .updateTable('job')
    .set({ state: 'running', owner, run, heartbeat_at: at, progress: null, due_at: null })
    .where('id', '=', row.id)
    .execute();
  return { ...toJob(row), state: 'running', owner, run, heartbeatAt: at, progress: null };
}
