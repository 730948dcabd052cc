import { type SqlBool, sql } from 'kysely';
import {
  type LastBuild,
  type StoredTarget,
  seenMs,
  type TargetRecords,
} from '../../core/builds/target-ports.ts';
import type { Database, Engine } from '../engine/engine.ts';

/** Stores the host and the last build of each build target. */
export class SqlTargetRecords implements TargetRecords {
  readonly #engine: Engine;
  readonly #host: string;

  /** `host` is the unique name of this host, or "" if no other host can use the database. */
  constructor(parts: { engine: Engine; host: string }) {
    this.#engine = parts.engine;
    this.#host = parts.host;
  }

  async claim(names: readonly string[]): Promise<StoredTarget[]> {
    const host = this.#host;
    if (names.length === 0) return [];
    return this.#engine.write(async (trx) => {
      const { now } = trx.dialect;
      const isOwn = sql<SqlBool>`build_target.host = ${host}`;
      const claimed = await trx
        .insertInto('build_target')
        .values(names.toSorted().map((name) => ({ name, host, seen_at: now, last_build: null })))
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({
              host,
              seen_at: now,
              last_build: sql`CASE WHEN ${isOwn} THEN build_target.last_build END`,
            })
            // A row without a host was written while no other host could use the database.
            .where(sql<SqlBool>`${isOwn} OR build_target.host = '' OR NOT ${isSeen(trx)}`),
        )
        .returning('name')
        .execute();
      const own = new Set(claimed.map(({ name }) => name));
      return own.size === names.length
        ? []
        : (await targetsIn(trx)).filter(({ name }) => names.includes(name) && !own.has(name));
    });
  }

  async forgetOthers(names: readonly string[]): Promise<void> {
    const known = (await this.list()).filter(({ host }) => host === this.#host);
    const gone = known.map(({ name }) => name).filter((name) => !names.includes(name));
    if (gone.length === 0) return;
    await this.#engine.write((trx) =>
      trx
        .deleteFrom('build_target')
        .where('host', '=', this.#host)
        .where('name', 'in', gone)
        .execute(),
    );
  }

  list(): Promise<StoredTarget[]> {
    return targetsIn(this.#engine.read);
  }

  async record(name: string, last: LastBuild | null): Promise<void> {
    const last_build = last === null ? null : JSON.stringify(last);
    const host = this.#host;
    await this.#engine.write((trx) =>
      trx
        .insertInto('build_target')
        .values({ name, host, seen_at: trx.dialect.now, last_build })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ last_build }).where('build_target.host', '=', host),
        )
        .execute(),
    );
  }
}

async function targetsIn(db: Database): Promise<StoredTarget[]> {
  const rows = await db
    .selectFrom('build_target')
    .select(['name', 'host', 'last_build', isSeen(db).as('is_seen')])
    .orderBy('name')
    .execute();
  return rows.map(({ name, host, last_build: json, is_seen }) => {
    const last = json === null ? null : lastBuildOf(json);
    return { name, host, isSeen: Boolean(is_seen), last };
  });
}

/** Parses the record of a build. Records of earlier versions lack `unpacks`. */
function lastBuildOf(json: string): LastBuild {
  const stored = JSON.parse(json) as Omit<LastBuild, 'unpacks'> & Partial<LastBuild>;
  return { ...stored, unpacks: stored.unpacks ?? false };
}

/**
 * Returns the condition that the host of a target was seen within `seenMs`. A time far in the
 * future does not count, because it was written before the clock was set back.
 */
function isSeen({ dialect: { now } }: Pick<Database, 'dialect'>) {
  return sql<SqlBool>`(build_target.seen_at BETWEEN ${now} - ${sql.lit(seenMs)} AND ${now} + ${sql.lit(seenMs)})`;
}
