import type { ScheduleChange, ScheduleRecords, StoredSchedule } from '../../core/jobs/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Engine } from '../engine/engine.ts';

/** Stores the schedules of the jobs that start automatically. */
export class SqlScheduleRecords implements ScheduleRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async list(): Promise<StoredSchedule[]> {
    const rows = await this.#engine.read
      .selectFrom('schedule')
      .select(['kind', 'is_on', 'weekday', 'time'])
      .execute();
    return rows.map(({ kind, is_on, weekday, time }) => ({ kind, isOn: is_on, weekday, time }));
  }

  change(schedule: StoredSchedule, change: ScheduleChange, actor: Actor): Promise<void> {
    const { kind } = schedule;
    const at = this.#clock.timestamp();
    const { isOn: is_on, ...rest } = { ...schedule, ...change };
    const { isOn, ...others } = change;
    const set = { ...others, ...(isOn !== undefined && { is_on: isOn }), counts_after: at };
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      await trx
        .insertInto('schedule')
        .values({ ...rest, is_on, counts_after: at })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(set))
        .execute();
      await recordAudit(trx, at, author, 'schedule.edit', `schedule/${kind}`, { ...change });
    });
  }

  claim(kind: string, due: string, now: string): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      const claimed = await trx
        .updateTable('schedule')
        .set({ counts_after: due })
        .where('kind', '=', kind)
        .where('is_on', '=', true)
        .where((where) =>
          // A stored time in the future was written while the clock was wrong. Such a time must not
          // prevent the job.
          where.or([where('counts_after', '<', due), where('counts_after', '>', now)]),
        )
        .returning('kind')
        .executeTakeFirst();
      return claimed !== undefined;
    });
  }
}
