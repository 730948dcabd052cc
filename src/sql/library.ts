import { type Selectable, sql } from 'kysely';
import type {
  FoundFile,
  IdentifiedFile,
  KnownFile,
  LibraryItem,
  LibraryRoot,
  Method,
} from '../core/library/library-file.ts';
import type { Evidence, LookUp } from '../core/library/match.ts';
import type { LibraryRecords, StoredScan } from '../core/library/ports.ts';
import type { Clock } from '../core/shared/clock.ts';
import { findEvidence } from './library/evidence.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

/** The library in SQL. A file that lies below two roots is known once for each. */
export class SqlLibraryRecords implements LibraryRecords {
  readonly #sql: Sql<Tables>;
  readonly #clock: Clock;

  constructor(parts: { sql: Sql<Tables>; clock: Clock }) {
    this.#sql = parts.sql;
    this.#clock = parts.clock;
  }

  async knownFiles(root: LibraryRoot): Promise<Map<string, KnownFile>> {
    const rows = await this.#sql.read
      .selectFrom('library_file')
      .innerJoin('library_root', 'library_root.id', 'library_file.root_id')
      .select(['library_file.id', 'library_file.path', 'name', 'size', 'mtime_ns', 'inode', 'sha1'])
      .where('library_root.path', '=', root.path)
      .execute();
    return new Map(
      rows.map((row) => [row.path, { ...toFound(row), id: row.id, hasHashes: row.sha1 !== null }]),
    );
  }

  async wasScanned(root: LibraryRoot): Promise<boolean> {
    const row = await this.#sql.read
      .selectFrom('library_root')
      .select('scanned_at')
      .where('path', '=', root.path)
      .executeTakeFirst();
    return row !== undefined && row.scanned_at !== null;
  }

  async markScanned(root: LibraryRoot): Promise<void> {
    const scanned_at = this.#clock.timestamp();
    await this.#sql.write(async (trx) => {
      await trx
        .insertInto('library_root')
        .values({ path: root.path, system: root.system, scanned_at })
        .onConflict((conflict) =>
          conflict.column('path').doUpdateSet({ scanned_at, system: root.system }),
        )
        .execute();
    });
  }

  async save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void> {
    if (scans.length === 0) return;
    await this.#sql.write(async (trx, bulk) => {
      await trx
        .insertInto('library_root')
        .values({ path: root.path, system: root.system, scanned_at: null })
        .onConflict((conflict) => conflict.column('path').doNothing())
        .execute();
      await bulk.run(
        `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, serial,
          image_size, crc32, md5, sha1, release_id, method, canonical, evidence)
        SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM library_root WHERE path = ?
        ON CONFLICT (root_id, path) DO UPDATE SET
          size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
          identity = excluded.identity, serial = excluded.serial, image_size = excluded.image_size,
          crc32 = excluded.crc32, md5 = excluded.md5, sha1 = excluded.sha1,
          release_id = excluded.release_id, method = excluded.method,
          canonical = excluded.canonical, evidence = excluded.evidence`,
        scans.map((scan) => toParameters(scan, root)),
      );
    });
  }

  async move(moves: readonly { id: number; to: FoundFile }[]): Promise<void> {
    if (moves.length === 0) return;
    await this.#sql.write(async (_trx, bulk) => {
      await bulk.run(
        'UPDATE library_file SET path = ?, name = ?, inode = ? WHERE id = ?',
        moves.map(({ id, to }) => [to.path, to.name, to.inode, id]),
      );
    });
  }

  async forget(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#sql.write(async (_trx, bulk) => {
      await bulk.run(
        'DELETE FROM library_file WHERE id = ?',
        ids.map((id) => [id]),
      );
    });
  }

  unhashed(roots: readonly LibraryRoot[], after: string, limit: number): Promise<IdentifiedFile[]> {
    return this.#files(roots, after, limit, true);
  }

  filesAfter(
    roots: readonly LibraryRoot[],
    path: string,
    limit: number,
  ): Promise<IdentifiedFile[]> {
    return this.#files(roots, path, limit, false);
  }

  evidenceFor(lookUps: readonly LookUp[]): Promise<Evidence[]> {
    return findEvidence(this.#sql.read, lookUps);
  }

  async catalogueVersion(): Promise<string> {
    const { rows } = await sql<{ version: string }>`
      SELECT coalesce((SELECT max(id) FROM import), 0) || '-' ||
        coalesce((SELECT max(id) FROM audit WHERE action = 'release.edit'), 0) AS version
    `.execute(this.#sql.read);
    return rows[0]?.version ?? '';
  }

  async matchedVersion(): Promise<string> {
    const row = await this.#sql.read
      .selectFrom('library_state')
      .select('value')
      .where('name', '=', 'matched')
      .executeTakeFirst();
    return row?.value ?? '';
  }

  async setMatchedVersion(version: string): Promise<void> {
    await this.#sql.write(async (trx) => {
      await trx
        .insertInto('library_state')
        .values({ name: 'matched', value: version })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: version }))
        .execute();
    });
  }

  async countByMethod(roots: readonly LibraryRoot[]): Promise<[Method | null, number][]> {
    const rows = await this.#below(roots)
      .select(['method', this.#sql.read.fn.countAll<number>().as('count')])
      .groupBy('method')
      .execute();
    return rows.map((row) => [row.method, row.count]);
  }

  async items(roots: readonly LibraryRoot[]): Promise<LibraryItem[]> {
    const order = sql`PARTITION BY library_file.name, library_file.size
      ORDER BY library_file.release_id IS NULL, library_file.path`;
    const rows = await this.#sql.read
      .selectFrom(
        this.#below(roots)
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
          .select(sql<string>`coalesce(release.system, library_root.system)`.as('system'))
          .select(sql<number>`row_number() OVER (${order})`.as('turn'))
          .as('file'),
      )
      .select(['name', 'path', 'size', 'system', 'releaseId', 'serial', 'method', 'canonical'])
      .where('turn', '=', 1)
      .orderBy('name')
      .orderBy('size')
      .execute();
    return rows.map(({ releaseId, ...row }) => ({
      ...row,
      releaseId,
      method: releaseId === null ? null : row.method,
      canonical: releaseId === null ? null : row.canonical,
    }));
  }

  async #files(
    roots: readonly LibraryRoot[],
    after: string,
    limit: number,
    onlyUnhashed: boolean,
  ): Promise<IdentifiedFile[]> {
    let query = this.#below(roots)
      .selectAll('library_file')
      .where('library_file.path', '>', after)
      .orderBy('library_file.path')
      .limit(limit);
    if (onlyUnhashed) query = query.where('library_file.sha1', 'is', null);
    return (await query.execute()).map(toIdentified);
  }

  #below(roots: readonly LibraryRoot[]) {
    const paths = JSON.stringify(roots.map((root) => root.path));
    return this.#sql.read
      .selectFrom('library_file')
      .innerJoin('library_root', 'library_root.id', 'library_file.root_id')
      .where(sql<boolean>`library_root.path IN (SELECT value FROM json_each(${paths}))`);
  }
}

function toParameters({ file, match, evidence }: StoredScan, root: LibraryRoot): unknown[] {
  const { identity, hashes } = file;
  return [
    file.path,
    file.name,
    file.size,
    file.mtimeNs,
    file.inode,
    JSON.stringify(identity),
    identity.serial,
    hashes?.size ?? identity.imageSize,
    hashes?.crc32 ?? null,
    hashes?.md5 ?? null,
    hashes?.sha1 ?? null,
    match?.releaseId ?? null,
    match?.method ?? null,
    match?.canonical ?? null,
    JSON.stringify(evidence),
    root.path,
  ];
}

type FileRow = Selectable<Tables['library_file']>;

function toFound(row: Pick<FileRow, 'path' | 'name' | 'size' | 'mtime_ns' | 'inode'>): FoundFile {
  const { path, name, size } = row;
  return { path, name, size, mtimeNs: BigInt(row.mtime_ns), inode: BigInt(row.inode) };
}

function toIdentified(row: FileRow): IdentifiedFile {
  const { crc32, md5, sha1 } = row;
  const hasHashes = crc32 !== null && md5 !== null && sha1 !== null;
  return {
    ...toFound(row),
    identity: JSON.parse(row.identity),
    hashes: hasHashes ? { size: row.image_size ?? row.size, crc32, md5, sha1 } : null,
  };
}
