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
import type { LibraryRecords, Move, StoredScan } from '../core/library/ports.ts';
import type { Clock } from '../core/shared/clock.ts';
import type { Database, Engine } from './engine.ts';
import { findEvidence } from './library/evidence.ts';
import { readInodes, readKnownFiles } from './library/known-files.ts';
import type { Tables } from './tables.ts';

/** Between two batches the server answers others. */
const rowsPerBatch = 2000;

/** The library in SQL. A file that lies below two roots is known once for each. */
export class SqlLibraryRecords implements LibraryRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;
  /** Paths of roots that the database has for certain. */
  readonly #addedRoots = new Set<string>();

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  knownFiles(root: LibraryRoot): Promise<KnownFile[]> {
    return readKnownFiles(this.#engine.read, root.path);
  }

  async inodesOf(ids: readonly number[]): Promise<Map<number, bigint>> {
    return ids.length === 0 ? new Map() : readInodes(this.#engine.read, ids);
  }

  async wasScanned(root: LibraryRoot): Promise<boolean> {
    const row = await this.#engine.read
      .selectFrom('library_root')
      .select('scanned_at')
      .where('path', '=', root.path)
      .executeTakeFirst();
    return row !== undefined && row.scanned_at !== null;
  }

  async markScanned(root: LibraryRoot): Promise<void> {
    const scanned_at = this.#clock.timestamp();
    await this.#engine.write(async (trx) => {
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
    await this.#engine.write(async (trx, bulk) => {
      if (!this.#addedRoots.has(root.path)) await addRoot(trx, root);
      await bulk.run(
        `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, serial,
          image_size, crc32, md5, sha1, release_id, method, canonical, evidence)
        SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM library_root WHERE path = ?
        ON CONFLICT (root_id, path) DO UPDATE SET
          size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
          identity = excluded.identity, serial = excluded.serial, image_size = excluded.image_size,
          crc32 = excluded.crc32, md5 = excluded.md5, sha1 = excluded.sha1,
          release_id = excluded.release_id, method = excluded.method,
          canonical = excluded.canonical, evidence = excluded.evidence
        WHERE excluded.sha1 IS NOT NULL OR library_file.sha1 IS NULL
          OR library_file.size <> excluded.size OR library_file.mtime_ns <> excluded.mtime_ns`,
        scans.map((scan) => toParameters(scan, root)),
      );
    });
    this.#addedRoots.add(root.path);
  }

  async move(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return;
    await this.#engine.write(async (trx, bulk) => {
      for (const root of new Set(moves.map((move) => move.root))) await addRoot(trx, root);
      // Files may change places: first all leave theirs, for one that no file has.
      await bulk.run(
        `UPDATE library_file SET path = ':' || id WHERE id = ?`,
        moves.map(({ id }) => [id]),
      );
      await bulk.run(
        `DELETE FROM library_file
        WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)`,
        moves.map(({ root, to }) => [to.path, root.path]),
      );
      await bulk.run(
        `UPDATE library_file SET root_id = (SELECT id FROM library_root WHERE path = ?),
          path = ?, name = ?, inode = ? WHERE id = ?`,
        moves.map(({ id, root, to }) => [root.path, to.path, to.name, to.inode, id]),
      );
    });
  }

  async forget(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#engine.write(async (_trx, bulk) => {
      await bulk.run(
        'DELETE FROM library_file WHERE id = ?',
        ids.map((id) => [id]),
      );
    });
  }

  async filesAt(root: LibraryRoot, paths: readonly string[]): Promise<IdentifiedFile[]> {
    const listed = sql`(SELECT value FROM json_each(${JSON.stringify(paths)}))`;
    const rows = await this.#below([root])
      .selectAll('library_file')
      .where(sql<boolean>`library_file.path IN ${listed}`)
      .execute();
    return rows.map(toIdentified);
  }

  async filesAfter(
    root: LibraryRoot,
    path: string,
    limit: number,
    { onlyUnhashed }: { onlyUnhashed: boolean } = { onlyUnhashed: false },
  ): Promise<IdentifiedFile[]> {
    let query = this.#below([root])
      .selectAll('library_file')
      .where('library_file.path', '>', path)
      .orderBy('library_file.path')
      .limit(limit);
    if (onlyUnhashed) query = query.where('library_file.sha1', 'is', null);
    return (await query.execute()).map(toIdentified);
  }

  evidenceFor(lookUps: readonly LookUp[]): Promise<Evidence[]> {
    return findEvidence(this.#engine.read, lookUps);
  }

  async catalogueVersion(): Promise<string> {
    const { rows } = await sql<{ version: string }>`
      SELECT coalesce((SELECT max(id) FROM import), 0) || '-' ||
        coalesce((SELECT max(id) FROM audit WHERE action = 'release.edit'), 0) AS version
    `.execute(this.#engine.read);
    return rows[0]?.version ?? '';
  }

  async matchedVersion(root: LibraryRoot): Promise<string> {
    const row = await this.#engine.read
      .selectFrom('library_state')
      .select('value')
      .where('name', '=', `matched ${root.path}`)
      .executeTakeFirst();
    return row?.value ?? '';
  }

  async setMatchedVersion({ path }: LibraryRoot, value: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('library_state')
        .values({ name: `matched ${path}`, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    });
  }

  async countByMethod(roots: readonly LibraryRoot[]): Promise<[Method | null, number][]> {
    const rows = await this.#below(roots)
      .select(['method', this.#engine.read.fn.countAll<number>().as('count')])
      .groupBy('method')
      .execute();
    return rows.map((row) => [row.method, row.count]);
  }

  async itemsVersion(): Promise<string> {
    const row = await this.#engine.read
      .selectFrom('library_version')
      .select('number')
      .executeTakeFirst();
    return `${row?.number}/${await this.catalogueVersion()}`;
  }

  async items(roots: readonly LibraryRoot[]): Promise<LibraryItem[]> {
    const query = this.#below(roots)
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
      .orderBy('library_file.name')
      .orderBy('library_file.size')
      .orderBy(sql`library_file.release_id IS NULL`)
      .orderBy('library_file.path');
    const items: LibraryItem[] = [];
    // Streamed: between two batches the server answers others.
    for await (const item of query.stream(rowsPerBatch)) {
      const last = items.at(-1);
      if (last?.name === item.name && last.size === item.size) continue;
      items.push(item.releaseId === null ? { ...item, method: null, canonical: null } : item);
    }
    return items;
  }

  #below(roots: readonly LibraryRoot[]) {
    const paths = JSON.stringify(roots.map((root) => root.path));
    return this.#engine.read
      .selectFrom('library_file')
      .innerJoin('library_root', 'library_root.id', 'library_file.root_id')
      .where(sql<boolean>`library_root.path IN (SELECT value FROM json_each(${paths}))`);
  }
}

async function addRoot(trx: Database, { path, system }: LibraryRoot): Promise<void> {
  await trx
    .insertInto('library_root')
    .values({ path, system, scanned_at: null })
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute();
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
