import { sql } from 'kysely';
import type { KnownFile, LibraryRoot } from '../../core/library/library-file.ts';
import type { KnownFiles } from '../../core/library/ports.ts';
import type { Database } from '../engine/engine.ts';

/**
 * Number of files per page. Pages are small, so that the first garbage collection after a page was
 * read can already free it.
 */
const filesPerPage = 500;

/** Reads the records of known files, which a scan compares with the files on the disk. */
export class SqlKnownFiles implements KnownFiles {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async *pages(root: LibraryRoot, after = ''): AsyncGenerator<KnownFile[]> {
    let page: Promise<Page> | null = this.#readPage(root.path, after);
    while (page !== null) {
      const columns: Page = await page;
      const isLast = columns.paths.length < filesPerPage;
      page = isLast ? null : this.#readPage(root.path, columns.paths.at(-1) as string);
      page?.catch(() => undefined); // not awaited if the caller stops early
      yield toFiles(columns);
    }
  }

  async inodesOf(ids: readonly number[]): Promise<Map<number, bigint>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('library_file')
      .select(['id', 'inode'])
      .where(sql<boolean>`id IN ${this.#db.dialect.list(ids, 'integer')}`)
      .execute();
    return new Map(rows.map(({ id, inode }) => [id, BigInt(inode)]));
  }

  /**
   * Reads a page as one JSON text, with a list for each column. The database's thread sends one
   * text much faster than many rows.
   */
  async #readPage(rootPath: string, after: string): Promise<Page> {
    const { dialect } = this.#db;
    const inOrder = dialect.textOrder(sql.ref('path'));
    const page = dialect.jsonObject({
      ids: dialect.jsonArray(sql.ref('id')),
      paths: dialect.jsonArray(sql.ref('path')),
      sizes: dialect.jsonArray(sql.ref('size')),
      mtimes: dialect.jsonArray(sql`CAST(mtime_ns AS TEXT)`),
    });
    const { rows } = await sql<{ page: string }>`
      SELECT ${page} AS page FROM (SELECT id, path, size, mtime_ns FROM library_file
        WHERE root_id = (SELECT id FROM library_root WHERE path = ${rootPath})
          AND (${inOrder}) > (${dialect.textOrder(after)})
        ORDER BY ${inOrder} LIMIT ${filesPerPage}) AS ordered`.execute(this.#db);
    return JSON.parse(rows[0]?.page ?? '{}');
  }
}

function toFiles({ ids, paths, sizes, mtimes }: Page): KnownFile[] {
  return paths.map((path, i) => ({
    id: ids[i] as number,
    path,
    size: sizes[i] as number,
    mtimeNs: BigInt(mtimes[i] as string),
  }));
}

interface Page {
  readonly ids: readonly number[];
  readonly paths: readonly string[];
  readonly sizes: readonly number[];
  readonly mtimes: readonly string[];
}
