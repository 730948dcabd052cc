import { sql } from 'kysely';
import type { KnownFile } from '../../core/library/library-file.ts';
import type { Database } from '../engine.ts';

/** Files that are read together: between two pages the server answers others. */
const filesPerPage = 2000;

/** What is known below a root, in the order of the paths. */
export async function readKnownFiles(db: Database, rootPath: string): Promise<KnownFile[]> {
  const known: KnownFile[] = [];
  for (let after = ''; ; ) {
    const page = await readPage(db, rootPath, after);
    for (let i = 0; i < page.paths.length; i += 1) {
      known.push({
        id: page.ids[i] as number,
        path: page.paths[i] as string,
        size: page.sizes[i] as number,
        mtimeNs: BigInt(page.mtimes[i] as string),
      });
    }
    if (page.paths.length < filesPerPage) return known;
    after = page.last;
  }
}

interface Page {
  readonly last: string;
  readonly ids: readonly number[];
  readonly paths: readonly string[];
  readonly sizes: readonly number[];
  readonly mtimes: readonly string[];
}

/** One page as one text: a row of columns of JSON crosses from the database's thread much faster than many rows. */
async function readPage(db: Database, rootPath: string, after: string): Promise<Page> {
  const { rows } = await sql<{ page: string }>`
    SELECT json_object('last', max(path),
      'ids', json_group_array(id), 'paths', json_group_array(path), 'sizes', json_group_array(size),
      'mtimes', json_group_array(CAST(mtime_ns AS TEXT))) AS page
    FROM (SELECT id, path, size, mtime_ns FROM library_file
      WHERE root_id = (SELECT id FROM library_root WHERE path = ${rootPath}) AND path > ${after}
      ORDER BY path LIMIT ${filesPerPage})`.execute(db);
  return JSON.parse(rows[0]?.page ?? '{}');
}

/** The inodes of files by their ids. */
export async function readInodes(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, bigint>> {
  const { rows } = await sql<{ id: number; inode: number | bigint }>`
    SELECT id, inode FROM library_file
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.execute(db);
  return new Map(rows.map(({ id, inode }) => [id, BigInt(inode)]));
}
