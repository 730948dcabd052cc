import { sql } from 'kysely';
import type { LibrarySource, LibrarySources } from '../../core/builds/ports.ts';
import type { Database, Engine } from '../engine/engine.ts';

/**
 * Finds library files by their ids: where they are stored, and their size, modification time and
 * SHA-1.
 */
export class SqlLibrarySources implements LibrarySources {
  readonly #db: Database;

  constructor({ engine }: { engine: Engine }) {
    this.#db = engine.read;
  }

  async find(ids: readonly number[]): Promise<Map<number, LibrarySource>> {
    const rows = await this.#db
      .selectFrom('library_file as file')
      .innerJoin('library_root as root', 'root.id', 'file.root_id')
      .select(['file.id', 'root.path as root', 'file.path', 'file.size', 'file.mtime_ns'])
      .select('file.sha1')
      .where(sql<boolean>`file.id IN ${this.#db.dialect.list(ids, 'integer')}`)
      .execute();
    return new Map(
      rows.map(({ mtime_ns: mtimeNs, ...row }) => [row.id, { ...row, mtimeNs: BigInt(mtimeNs) }]),
    );
  }
}
