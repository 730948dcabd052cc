import { type NotNull, type Selectable, sql } from 'kysely';
import type { LibraryRoot, ScannedFile } from '../../core/library/library-file.ts';
import type { ScannedFiles } from '../../core/library/ports.ts';
import type { Sheet } from '../../core/library/sets/sheet-files.ts';
import { forEachInSlices, Slices } from '../../core/shared/concurrency/slices.ts';
import type { Database } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { filesBelow } from './files-below.ts';

/**
 * Maximum total length of the identities on one page, in characters. A page that reaches this
 * length gets no further file. The identity of an archive may have several million characters.
 */
const maxPageLength = 2 * 1024 * 1024;

/**
 * Number of paths per query. A set may have thousands of files; reading all records at once would
 * block the event loop.
 */
const pathsPerQuery = 100;

/** Number of sheets per page. One sheet may name several hundred files. */
const sheetsPerPage = 200;

/** Reads the file records that earlier scans stored. */
export class SqlScannedFiles implements ScannedFiles {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async filesAt(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]> {
    const files: ScannedFile[] = [];
    const slices = new Slices();
    for (let start = 0; start < paths.length; start += pathsPerQuery) {
      const some = paths.slice(start, start + pathsPerQuery);
      const rows = await filesBelow(this.#db, [root])
        .selectAll('library_file')
        .where(sql<boolean>`library_file.path IN ${this.#db.dialect.list(some)}`)
        .execute();
      await forEachInSlices(rows, (row) => files.push(toIdentified(row)), slices);
    }
    return files;
  }

  async pageAfter(
    root: LibraryRoot,
    path: string,
    limit: number,
    { only }: { only: 'all' | 'unhashed' | 'unfound' } = { only: 'all' },
  ): Promise<ScannedFile[]> {
    const { dialect } = this.#db;
    const inOrder = dialect.textOrder(sql.ref('library_file.path'));
    let query = filesBelow(this.#db, [root])
      .select(['library_file.id', 'library_file.path'])
      .select(sql<number>`length(library_file.identity)`.as('length'))
      .where(sql<boolean>`(${inOrder}) > (${dialect.textOrder(path)})`)
      .orderBy(inOrder)
      .limit(limit);
    if (only !== 'all') query = query.where('library_file.sha1', 'is', null);
    if (only === 'unfound') {
      // Skips files that were matched by the SHA-1 that their container states, because such files
      // need no other hash. Files of a set are included, because the stated SHA-1 may belong to
      // another file.
      query = query.where(
        sql<boolean>`(library_file.method IS DISTINCT FROM 'sha1' OR library_file.set_key IS NOT NULL)`,
      );
    }
    const before = sql<number>`coalesce(sum(page.length) OVER (ORDER BY page.path
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
    const rows = await this.#db
      .selectFrom('library_file')
      .innerJoin(
        (from) =>
          from
            .selectFrom(query.as('page'))
            .select(['page.id', before.as('before')])
            .as('fitting'),
        (join) => join.onRef('fitting.id', '=', 'library_file.id'),
      )
      .selectAll('library_file')
      .where('fitting.before', '<', maxPageLength)
      .orderBy('library_file.path')
      .execute();
    return rows.map(toIdentified);
  }

  async readers(root: LibraryRoot): Promise<string[]> {
    const rows = await filesBelow(this.#db, [root])
      .select('library_file.reader')
      .distinct()
      .execute();
    return rows.map(({ reader }) => reader);
  }

  async readBy(root: LibraryRoot, readers: readonly string[]): Promise<Set<string>> {
    const rows = await filesBelow(this.#db, [root])
      .select('library_file.path')
      .where(sql<boolean>`library_file.reader IN ${this.#db.dialect.list(readers)}`)
      .execute();
    return new Set(rows.map(({ path }) => path));
  }

  async sheets(root: LibraryRoot): Promise<Sheet[]> {
    const sheets: Sheet[] = [];
    const inOrder = this.#db.dialect.textOrder(sql.ref('library_file.path'));
    for (let after = ''; ; ) {
      const rows = await filesBelow(this.#db, [root])
        .select(['library_file.path', 'library_file.sheet'])
        .where('library_file.sheet', 'is not', null)
        .$narrowType<{ sheet: NotNull }>()
        .where(sql<boolean>`(${inOrder}) > (${this.#db.dialect.textOrder(after)})`)
        .orderBy(inOrder)
        .limit(sheetsPerPage)
        .execute();
      await forEachInSlices(rows, ({ path, sheet }) => {
        sheets.push({ path, files: JSON.parse(sheet) });
      });
      if (rows.length < sheetsPerPage) return sheets;
      after = rows.at(-1)?.path ?? '';
    }
  }

  async setKeys(root: LibraryRoot): Promise<Map<string, string>> {
    const rows = await filesBelow(this.#db, [root])
      .select(['library_file.path', 'library_file.set_key'])
      .where('library_file.set_key', 'is not', null)
      .$narrowType<{ set_key: NotNull }>()
      .execute();
    return new Map(rows.map(({ path, set_key }) => [path, set_key]));
  }

  async pathsInSet(root: LibraryRoot, setKey: string): Promise<string[]> {
    const rows = await filesBelow(this.#db, [root])
      .select('library_file.path')
      .where('library_file.set_key', '=', setKey)
      .execute();
    return rows.map(({ path }) => path);
  }

  async stateOf(root: LibraryRoot): Promise<{ version: number; areSetsMatched: boolean }> {
    const state = await this.#db
      .selectFrom('library_version')
      .select('number')
      .executeTakeFirstOrThrow();
    const settled = await this.#state(`settled ${root.path}`);
    return { version: state.number, areSetsMatched: settled === `${state.number}` };
  }

  async roots(): Promise<LibraryRoot[]> {
    const query = this.#db.selectFrom('library_root').select(['path', 'system']).orderBy('path');
    const rows = await query.execute();
    return rows.map(({ path, system }) => ({
      path,
      system: system === 'videos' ? 'videos' : 'games',
    }));
  }

  async wasScanned(root: LibraryRoot): Promise<boolean> {
    const row = await this.#db
      .selectFrom('library_root')
      .select('scanned_at')
      .where('path', '=', root.path)
      .executeTakeFirst();
    return row !== undefined && row.scanned_at !== null;
  }

  async matchedVersion(root: LibraryRoot): Promise<string> {
    return this.#state(`matched ${root.path}`);
  }

  async #state(name: string): Promise<string> {
    const row = await this.#db
      .selectFrom('library_state')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value ?? '';
  }
}

function toIdentified(row: Selectable<Tables['library_file']>): ScannedFile {
  const { path, name, size, crc32, md5, sha1, method, release_id: releaseId } = row;
  const hasHashes = crc32 !== null && md5 !== null && sha1 !== null;
  return {
    path,
    name,
    size,
    mtimeNs: BigInt(row.mtime_ns),
    inode: BigInt(row.inode),
    identity: JSON.parse(row.identity),
    reader: row.reader,
    releaseId,
    method,
    setKey: row.set_key,
    ...(method === 'manual' &&
      releaseId !== null && { chosen: { releaseId, canonical: row.canonical } }),
    hashes: hasHashes ? { size: row.image_size ?? size, crc32, md5, sha1 } : null,
  };
}
