import type { Updateable } from 'kysely';
import type { Job, JobState } from '../core/jobs/job.ts';
import type { JobRecords } from '../core/jobs/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { actorName, recordAudit } from './audit.ts';
import { type Database, type Engine, UniqueViolation } from './engine.ts';
import type { Tables } from './tables.ts';

export class SqlJobRecords implements JobRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async begin(
    kind: string,
    owner: string,
    actor: Actor,
    isDead: (running: Job) => boolean,
  ): Promise<{ id: number } | { running: Job }> {
    for (;;) {
      try {
        return await this.#tryBegin(kind, owner, actor, isDead);
      } catch (error) {
        // Another process began one since the look (the index job_running): it is there to be found now.
        if (!(error instanceof UniqueViolation)) throw error;
      }
    }
  }

  #tryBegin(
    kind: string,
    owner: string,
    actor: Actor,
    isDead: (running: Job) => boolean,
  ): Promise<{ id: number } | { running: Job }> {
    const at = this.#clock.timestamp();
    return this.#engine.write(async (trx) => {
      const running = await findRunning(trx, kind);
      if (running !== null) {
        if (!isDead(running)) return { running };
        await updateRunning(trx, running.id, { state: 'interrupted', finished_at: at });
      }
      const job = await trx
        .insertInto('job')
        .values({
          kind,
          state: 'running',
          owner,
          started_by: actorName(actor),
          started_at: at,
          heartbeat_at: at,
          finished_at: null,
          progress: null,
          report: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await recordAudit(trx, at, actor, `${kind}.start`, `job/${job.id}`);
      return { id: job.id };
    });
  }

  heartbeat(id: number, progress: unknown): Promise<void> {
    return this.#update(id, {
      heartbeat_at: this.#clock.timestamp(),
      progress: JSON.stringify(progress),
    });
  }

  finish(id: number, state: JobState, report: unknown): Promise<void> {
    return this.#update(id, {
      state,
      finished_at: this.#clock.timestamp(),
      report: JSON.stringify(report),
    });
  }

  #update(id: number, values: Updateable<Tables['job']>): Promise<void> {
    return this.#engine.write((trx) => updateRunning(trx, id, values));
  }
}

async function findRunning(trx: Database, kind: string): Promise<Job | null> {
  const row = await trx
    .selectFrom('job')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    startedBy: row.started_by,
    startedAt: row.started_at,
    owner: row.owner,
    heartbeatAt: row.heartbeat_at,
    finishedAt: row.finished_at,
  };
}

/** Only while it runs: a job that was taken for dead stays interrupted. */
async function updateRunning(
  trx: Database,
  id: number,
  values: Updateable<Tables['job']>,
): Promise<void> {
  await trx
    .updateTable('job')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}
