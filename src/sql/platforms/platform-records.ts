import { sql } from 'kysely';
import type { PlatformCount, PlatformRecords } from '../../core/platforms/ports.ts';
import { compareByCodePoint } from '../../core/shared/text.ts';
import type { Database, Engine } from '../engine/engine.ts';

/**
 * Reads the platforms. Each platform includes three numbers of releases: all, those in the library,
 * and those that a hash verifies. The numbers are counted from indexes alone. They are cached until
 * an import or a change of the library.
 */
export class SqlPlatformRecords implements PlatformRecords {
  readonly #db: Database;
  readonly #longRead: Database;
  #cached: { readonly version: string; readonly counts: readonly PlatformCount[] } | undefined;

  constructor({ engine }: { engine: Engine }) {
    this.#db = engine.read;
    this.#longRead = engine.longRead;
  }

  async counts(): Promise<readonly PlatformCount[]> {
    // Reads the version before counting, so that a change during the count makes the cached counts
    // stale.
    const version = await this.#version();
    if (this.#cached?.version !== version) {
      this.#cached = { version, counts: await this.#count() };
    }
    return this.#cached.counts;
  }

  async #version(): Promise<string> {
    const { imports, library } = await this.#db
      .selectFrom('import_version')
      .select('number as imports')
      .select((from) =>
        from.selectFrom('library_version').select('number').$asScalar().$notNull().as('library'),
      )
      .executeTakeFirstOrThrow();
    return `${imports}/${library}`;
  }

  async #count(): Promise<PlatformCount[]> {
    const [platforms, bySystem, owned] = await Promise.all([
      this.#db.selectFrom('platform').select(['id', 'name']).execute(),
      this.#countBySystem(),
      this.#countOwned(),
    ]);
    return platforms
      .map(({ id, name }) => {
        const own = bySystem.filter((row) => row.platform === id);
        const [largest] = own.toSorted((a, b) => b.releases - a.releases);
        const releases = own.reduce((sum, row) => sum + row.releases, 0);
        const { have = 0, verified = 0 } = owned.find((row) => row.platform === id) ?? {};
        return { id, name, system: largest?.system ?? '', releases, have, verified };
      })
      .sort((a, b) => compareByCodePoint(a.name, b.name));
  }

  async countReleases(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('listed_release')
      .select(['platform_id as platform', this.#db.fn.countAll<number>().as('releases')])
      .where(sql<boolean>`id IN ${this.#db.dialect.list(ids, 'integer')}`)
      .groupBy('platform_id')
      .execute();
    return new Map(
      rows.flatMap((row) => (row.platform === null ? [] : [[row.platform, row.releases]])),
    );
  }

  async find(id: number): Promise<{ id: number; name: string } | null> {
    const query = this.#db.selectFrom('platform').select(['id', 'name']).where('id', '=', id);
    return (await query.executeTakeFirst()) ?? null;
  }

  #countBySystem() {
    const db = this.#longRead;
    return db
      .selectFrom('listed_release')
      .select(['platform_id as platform', 'system'])
      .select(db.fn.countAll<number>().as('releases'))
      .where(db.dialect.interruptionPoint(sql.ref('id')))
      .groupBy(['system', 'platform_id'])
      .execute();
  }

  async #countOwned() {
    const { rows } = await sql<{ platform: number | null; have: number; verified: number }>`
      SELECT release.platform_id AS platform, count(*) AS have, sum(file.verified) AS verified
      FROM (SELECT release_id,
          max(CASE WHEN method IN ('sha1', 'md5', 'crc32') THEN 1 ELSE 0 END) AS verified
        FROM library_file WHERE release_id IS NOT NULL GROUP BY release_id) AS file
      JOIN listed_release AS release ON release.id = file.release_id
      WHERE ${this.#longRead.dialect.interruptionPoint(sql.ref('release.id'))}
      GROUP BY release.platform_id`.execute(this.#longRead);
    return rows;
  }
}
