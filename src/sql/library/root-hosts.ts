import { sql } from 'kysely';
import type { LibraryRoot } from '../../core/library/library-file.ts';
import type { OwnedRoot, RootHosts } from '../../core/library/root-hosts.ts';
import type { Engine } from '../engine/engine.ts';

/**
 * Stores which host owns each library root. The column `host` of a root contains the host, or "" if
 * no host owns the root.
 */
export class SqlRootHosts implements RootHosts {
  readonly #engine: Engine;
  readonly #host: string;

  /** `host` is the unique name of this host. */
  constructor(parts: { engine: Engine; host: string }) {
    this.#engine = parts.engine;
    this.#host = parts.host;
  }

  async list(): Promise<OwnedRoot[]> {
    const rows = await this.#engine.read
      .selectFrom('library_root')
      .select(['path', 'host'])
      .where('host', '<>', '')
      .orderBy('path')
      .execute();
    return rows.map((row) => ({ ...row, isOwn: row.host === this.#host }));
  }

  claim(
    { path, system }: LibraryRoot,
    { fromOthers }: { fromOthers: boolean },
  ): Promise<string | null> {
    const host = this.#host;
    return this.#engine.write(async (trx) => {
      const key = sql.raw(trx.dialect.uniqueKey('path'));
      await trx
        .insertInto('library_root')
        .values({ path, system, scanned_at: null, problem: null, host })
        .onConflict((conflict) => conflict.expression(key).doNothing())
        .execute();
      const existing = await trx
        .selectFrom('library_root')
        .select('host')
        .where('path', '=', path)
        .modifyEnd(trx.dialect.lockRows)
        .executeTakeFirstOrThrow();
      if (existing.host === host) return null;
      if (existing.host !== '' && !fromOthers) return existing.host;
      await trx.updateTable('library_root').set({ host }).where('path', '=', path).execute();
      return null;
    });
  }

  async release({ path }: LibraryRoot): Promise<void> {
    await this.#engine.write((trx) =>
      trx
        .updateTable('library_root')
        .set({ host: '' })
        .where('path', '=', path)
        .where('host', '=', this.#host)
        .execute(),
    );
  }
}
