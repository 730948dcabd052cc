import type { LastBuild, StoredTarget, TargetRecords } from '../../core/builds/target-ports.ts';
import type { Engine } from '../engine/engine.ts';

/** Stores which host has which target, and what was last built there. */
export class SqlTargetRecords implements TargetRecords {
  readonly #engine: Engine;
  readonly #host: string;

  /** `host` is the unique name of this host, or "" if no other host can use the database. */
  constructor(parts: { engine: Engine; host: string }) {
    this.#engine = parts.engine;
    this.#host = parts.host;
  }

  async register(names: readonly string[]): Promise<void> {
    const host = this.#host;
    const known = (await this.list()).filter((each) => each.host === host);
    const isSame = known.length === names.length && known.every(({ name }) => names.includes(name));
    if (isSame) return;
    await this.#engine.write(async (trx) => {
      let others = trx.deleteFrom('build_target').where('host', '=', host);
      if (names.length > 0) others = others.where('name', 'not in', names);
      await others.execute();
      if (names.length === 0) return;
      await trx
        .insertInto('build_target')
        .values(names.map((name) => ({ name, host, last_build: null })))
        .onConflict((conflict) => conflict.columns(['name', 'host']).doNothing())
        .execute();
    });
  }

  async list(): Promise<StoredTarget[]> {
    const rows = await this.#engine.read
      .selectFrom('build_target')
      .selectAll()
      .orderBy('name')
      .orderBy('host')
      .execute();
    return rows.map(({ name, host, last_build: json }) => {
      const last = json === null ? null : (JSON.parse(json) as LastBuild);
      return { name, host, last };
    });
  }

  async record(name: string, last: LastBuild | null): Promise<void> {
    const host = this.#host;
    const last_build = last === null ? null : JSON.stringify(last);
    await this.#engine.write((trx) =>
      trx
        .insertInto('build_target')
        .values({ name, host, last_build })
        .onConflict((conflict) => conflict.columns(['name', 'host']).doUpdateSet({ last_build }))
        .execute(),
    );
  }
}
