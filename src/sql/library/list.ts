import { type NotNull, sql } from 'kysely';
import type {
  LibraryItem,
  LibraryRoot,
  MatchMethod,
  ReleaseFile,
} from '../../core/library/library-file.ts';
import type { LibraryList } from '../../core/library/ports.ts';
import { isBelow } from '../../core/library/scan/nested-roots.ts';
import type { Database } from '../engine/engine.ts';
import { catalogueVersion } from './catalogue-version.ts';
import { filesBelow } from './files-below.ts';

/** Number of rows per batch. The server handles other requests between two batches. */
const rowsPerBatch = 2000;

/** Reads the library list that users see. */
export class SqlLibraryList implements LibraryList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async version(): Promise<string> {
    const row = await this.#db.selectFrom('library_version').select('number').executeTakeFirst();
    return `${row?.number}/${await catalogueVersion(this.#db)}`;
  }

  async items(
    roots: readonly LibraryRoot[],
    related: readonly LibraryRoot[] = [],
  ): Promise<LibraryItem[]> {
    const given = new Set(roots.map(({ path }) => path));
    const innermost = roots.toSorted((one, other) => other.path.length - one.path.length);
    const query = filesBelow(this.#db, [...roots, ...related])
      .leftJoin('release', 'release.id', 'library_file.release_id')
      .select([
        'library_file.name',
        'library_file.path',
        'library_file.size',
        'library_file.release_id as releaseId',
        'library_file.serial',
        'library_file.method',
        'library_file.canonical',
      ])
      .select(['release.system', 'library_root.path as root', 'library_root.system as rootSystem'])
      .orderBy('library_file.name')
      .orderBy('library_file.size')
      .orderBy(sql`library_file.release_id IS NULL`)
      .orderBy('library_file.path');
    const items: LibraryItem[] = [];
    // Streams the rows, so that the server handles other requests between two batches.
    for await (const { root, rootSystem, ...row } of query.stream(rowsPerBatch)) {
      const last = items.at(-1);
      if (last?.name === row.name && last.size === row.size) continue;
      const deciding = innermost.find(({ path }) => isBelow(path, row.path));
      if (deciding === undefined && !given.has(root)) continue;
      const item = { ...row, system: row.system ?? deciding?.system ?? rootSystem };
      items.push(item.releaseId === null ? { ...item, method: null, canonical: null } : item);
    }
    return items;
  }

  async ofRelease(releaseId: number): Promise<ReleaseFile[]> {
    return this.#db
      .selectFrom('library_file as file')
      .select(['file.id', 'file.name', 'file.path', 'file.size', 'file.method'])
      .select(matchedRom.as('rom'))
      .where('file.release_id', '=', releaseId)
      .where('file.method', 'is not', null)
      .$narrowType<{ method: NotNull }>()
      .orderBy('file.name')
      .orderBy('file.path')
      .orderBy('file.id')
      .execute();
  }

  async countByMethod(roots: readonly LibraryRoot[]): Promise<[MatchMethod | null, number][]> {
    const rows = await filesBelow(this.#db, roots)
      .select(['method', this.#db.fn.countAll<number>().as('count')])
      .groupBy('method')
      .execute();
    return rows.map((row) => [row.method, row.count]);
  }

  async countTied(roots: readonly LibraryRoot[]): Promise<number> {
    const row = await filesBelow(this.#db, roots)
      .select(this.#db.fn.countAll<number>().as('count'))
      .where('tied', 'is not', null)
      .executeTakeFirstOrThrow();
    return row.count;
  }

  async countInSets(roots: readonly LibraryRoot[]): Promise<number> {
    const row = await filesBelow(this.#db, roots)
      .select(this.#db.fn.countAll<number>().as('count'))
      .where('library_file.set_key', 'is not', null)
      .where('library_file.release_id', 'is not', null)
      .executeTakeFirstOrThrow();
    return row.count;
  }
}

/**
 * SQL for the name of the ROM that a file matches. The result is null if neither the method nor the
 * name nor the size shows that the file is the ROM with the name `canonical`.
 */
const matchedRom = sql<string | null>`(SELECT min(rom.name) FROM rom
  WHERE rom.release_id = file.release_id AND rom.name = file.canonical
    AND (file.method IN ('sha1', 'md5', 'crc32') OR rom.name = file.name
      OR rom.size = file.image_size))`;
