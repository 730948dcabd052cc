import { type SqlBool, sql } from 'kysely';
import type { MatchMethod } from '../../core/library/library-file.ts';
import {
  type LibraryOwnership,
  type OwnedReleases,
  ownerships,
} from '../../core/library/owned-releases.ts';
import type { Engine } from '../engine/engine.ts';

/** Number of files per query. A disc may have 99 files, which belong to one release. */
const filesPerQuery = 1_000;
/** Maximum number of queries of one call of `listRecent`. */
const maxQueries = 10;

/** Finds the releases that the library contains, in the records of scans. */
export class SqlOwnedReleases implements OwnedReleases {
  readonly #engine: Engine;

  constructor({ engine }: { engine: Engine }) {
    this.#engine = engine;
  }

  async hasFiles(): Promise<boolean> {
    const query = this.#engine.read.selectFrom('library_file').select('id').limit(1);
    return (await query.executeTakeFirst()) !== undefined;
  }

  async listRecent(limit: number): Promise<number[]> {
    const found = new Set<number>();
    let before = Number.MAX_SAFE_INTEGER;
    for (let query = 0; query < maxQueries && found.size < limit; query++) {
      const rows = await this.#engine.read
        .selectFrom('library_file')
        .select(['id', 'release_id'])
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(filesPerQuery)
        .execute();
      for (const row of rows) {
        if (row.release_id !== null && found.size < limit) found.add(row.release_id);
      }
      before = rows.at(-1)?.id ?? 0;
      if (rows.length < filesPerQuery) break;
    }
    return [...found];
  }

  async findOwnership(ids: readonly number[]): Promise<ReadonlyMap<number, LibraryOwnership>> {
    const { read } = this.#engine;
    const rows = await read
      .selectFrom('library_file')
      .select(['release_id', 'method'])
      .distinct()
      .where(sql<SqlBool>`release_id IN ${read.dialect.list(ids, 'integer')}`)
      .execute();
    const owned = new Map<number, LibraryOwnership>();
    for (const { release_id: id, method } of rows) {
      if (id === null || method === null) continue;
      const [one, other] = [ownershipBy[method], owned.get(id)];
      if (other === undefined || ownerships.indexOf(one) < ownerships.indexOf(other)) {
        owned.set(id, one);
      }
    }
    return owned;
  }
}

const ownershipBy: Readonly<Record<MatchMethod, LibraryOwnership>> = {
  sha1: 'verified',
  md5: 'verified',
  crc32: 'verified',
  manual: 'manual',
  serial: 'serial',
  name: 'name',
};
