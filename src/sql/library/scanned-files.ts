import { type Selectable, sql } from 'kysely';
import type { LibraryRoot, ScannedFile } from '../../core/library/library-file.ts';
import type { ScannedFiles } from '../../core/library/ports.ts';
import type { Database } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { filesBelow } from './files-below.ts';

/** What earlier scans found. */
export class SqlScannedFiles implements ScannedFiles {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async at(root: LibraryRoot, paths: readonly string[]): Promise<ScannedFile[]> {
    const rows = await filesBelow(this.#db, [root])
      .selectAll('library_file')
      .where(sql<boolean>`library_file.path IN ${this.#db.dialect.list(paths)}`)
      .execute();
    return rows.map(toIdentified);
  }

  async after(
    root: LibraryRoot,
    path: string,
    limit: number,
    { onlyUnhashed }: { onlyUnhashed: boolean } = { onlyUnhashed: false },
  ): Promise<ScannedFile[]> {
    let query = filesBelow(this.#db, [root])
      .selectAll('library_file')
      .where('library_file.path', '>', path)
      .orderBy('library_file.path')
      .limit(limit);
    if (onlyUnhashed) {
      // what is found by the SHA-1 that a container states needs no other
      query = query
        .where('library_file.sha1', 'is', null)
        .where(sql<boolean>`library_file.method IS DISTINCT FROM 'sha1'`);
    }
    return (await query.execute()).map(toIdentified);
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

  async wasScanned(root: LibraryRoot): Promise<boolean> {
    const row = await this.#db
      .selectFrom('library_root')
      .select('scanned_at')
      .where('path', '=', root.path)
      .executeTakeFirst();
    return row !== undefined && row.scanned_at !== null;
  }

  async matchedVersion(root: LibraryRoot): Promise<string> {
    const row = await this.#db
      .selectFrom('library_state')
      .select('value')
      .where('name', '=', `matched ${root.path}`)
      .executeTakeFirst();
    return row?.value ?? '';
  }
}

function toIdentified(row: Selectable<Tables['library_file']>): ScannedFile {
  const { path, name, size, crc32, md5, sha1 } = row;
  const hasHashes = crc32 !== null && md5 !== null && sha1 !== null;
  return {
    path,
    name,
    size,
    mtimeNs: BigInt(row.mtime_ns),
    inode: BigInt(row.inode),
    identity: JSON.parse(row.identity),
    reader: row.reader,
    releaseId: row.release_id,
    hashes: hasHashes ? { size: row.image_size ?? size, crc32, md5, sha1 } : null,
  };
}
