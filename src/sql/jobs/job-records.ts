import type { Selectable, Updateable } from 'kysely';
import type { Job, JobProgress, JobRecord, JobState } from '../../core/jobs/job.ts';
import type { JobFilter, JobRecords, JobRequest } from '../../core/jobs/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { NewestPage } from '../../core/shared/newest-page.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { actorJson, recordAudit } from '../audit/audit.ts';
import { type Database, type Engine, UniqueViolation } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

type IsDead = (running: Job) => Promise<boolean>;

/** The columns of a job that lists show. Columns with possibly long contents are omitted. */
const listedColumns = [
  ...(['id', 'kind', 'state', 'actor', 'owner', 'stopping', 'progress'] as const),
  ...(['started_at', 'heartbeat_at', 'finished_at'] as const),
] as const;

export class SqlJobRecords implements JobRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async begin(
    request: JobRequest,
    owner: string,
    isDead: IsDead,
  ): Promise<{ id: number } | { running: Job }> {
    for (;;) {
      try {
        return await this.#tryBegin(request, owner, isDead);
      } catch (error) {
        // The unique index job_running rejected the insert: another process began a job of this
        // kind after the check. The next attempt finds that job.
        if (!(error instanceof UniqueViolation)) throw error;
      }
    }
  }

  #tryBegin(
    { kind, options, actor }: JobRequest,
    owner: string,
    isDead: IsDead,
  ): Promise<{ id: number } | { running: Job }> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      const [running] = await listRunning(trx, kind);
      if (running !== undefined) {
        if (!(await isDead(running))) return { running };
        await updateRunning(trx, running.id, { state: 'interrupted', finished_at: at });
      }
      const job = await trx
        .insertInto('job')
        .values({
          kind,
          state: 'running',
          owner,
          actor: actorJson(actor),
          options: JSON.stringify(options),
          stopping: false,
          started_at: at,
          heartbeat_at: at,
          finished_at: null,
          progress: null,
          report: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const hasOptions = Object.values(options).some((value) => value !== undefined);
      const detail = hasOptions ? options : undefined;
      await recordAudit(trx, at, author, `${kind}.start`, `job/${job.id}`, detail);
      return { id: job.id };
    });
  }

  async adopt(id: number, owner: string): Promise<JobRecord | null> {
    const values = { owner, heartbeat_at: this.#clock.timestamp() };
    await this.#engine.write((trx) => updateRunning(trx, id, values));
    const job = await this.find(id);
    return job?.owner === owner && job.state === 'running' ? job : null;
  }

  async heartbeat(
    id: number,
    owner: string,
    progress: JobProgress | null,
  ): Promise<{ isStopping: boolean } | null> {
    const row = await this.#engine.single
      .updateTable('job')
      .set({
        heartbeat_at: this.#clock.timestamp(),
        progress: progress === null ? null : JSON.stringify(progress),
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

  requestStop(id: number, actor: Actor): Promise<void> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      const asked = await trx
        .updateTable('job')
        .set({ stopping: true })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .where('stopping', '=', false)
        .returning('kind')
        .executeTakeFirst();
      if (asked) await recordAudit(trx, at, author, `${asked.kind}.stop`, `job/${id}`);
    });
  }

  async interruptDead(isDead: IsDead): Promise<void> {
    const seen = await listRunning(this.#engine.read);
    if ((await filterDead(seen, isDead)).length === 0) return;
    const finished_at = this.#clock.timestamp();
    await this.#engine.write(async (trx) => {
      for (const { id } of await filterDead(await listRunning(trx), isDead)) {
        await updateRunning(trx, id, { state: 'interrupted', finished_at });
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
    if (row === undefined) return null;
    return { ...toJob(row), options: JSON.parse(row.options), report: parsed(row.report) };
  }
}

/** Lists the running jobs of a kind, or of all kinds. */
async function listRunning(db: Database, kind?: string): Promise<Job[]> {
  let query = db.selectFrom('job').select(listedColumns).where('state', '=', 'running');
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return (await query.execute()).map(toJob);
}

async function filterDead(running: readonly Job[], isDead: IsDead): Promise<Job[]> {
  const dead = await Promise.all(running.map(isDead));
  return running.filter((_, place) => dead[place]);
}

/**
 * Updates a job only while the job is running. If `owner` is passed, the job must also have this
 * owner. Returns true if the job was updated. A job that was considered dead therefore stays
 * interrupted.
 */
async function updateRunning(
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

function toJob(row: Pick<Selectable<Tables['job']>, (typeof listedColumns)[number]>): Job {
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
  };
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
