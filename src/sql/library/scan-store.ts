import type { IdentifiedFile, LibraryRoot } from '../../core/library/library-file.ts';
import type { Move, ScanStore, StoredMatch, StoredScan } from '../../core/library/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Database, Engine } from '../engine.ts';

/** Where a scan stores what it finds. A file that lies below two roots is known once for each. */
export class SqlScanStore implements ScanStore {
  readonly #engine: Engine;
  readonly #clock: Clock;
  /** Paths of roots that the database has for certain. */
  readonly #addedRoots = new Set<string>();

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void> {
    if (scans.length === 0) return;
    await this.#engine.write(async (trx, bulk) => {
      if (!this.#addedRoots.has(root.path)) await addRoot(trx, root);
      await bulk.run(
        `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, serial,
          image_size, crc32, md5, sha1, release_id, method, canonical, tied, evidence, reader, sheet, set_key)
        VALUES ((SELECT id FROM library_root WHERE path = ?),
          ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
        ON CONFLICT (root_id, path) DO UPDATE SET
          size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
          identity = excluded.identity, serial = excluded.serial, image_size = excluded.image_size,
          crc32 = excluded.crc32, md5 = excluded.md5, sha1 = excluded.sha1,
          release_id = excluded.release_id, method = excluded.method,
          canonical = excluded.canonical, tied = excluded.tied, evidence = excluded.evidence,
          reader = excluded.reader, sheet = excluded.sheet, set_key = NULL
        WHERE excluded.sha1 IS NOT NULL OR library_file.sha1 IS NULL
          OR library_file.size <> excluded.size OR library_file.mtime_ns <> excluded.mtime_ns
          OR library_file.reader <> excluded.reader`,
        scans.map((scan) => toParameters(scan, root)),
      );
    });
    this.#addedRoots.add(root.path);
  }

  async saveHashes(
    root: LibraryRoot,
    { path, size, mtimeNs, ...file }: IdentifiedFile,
  ): Promise<void> {
    const { identity, hashes } = file;
    await this.#engine.write(async (_trx, bulk) => {
      await bulk.run(
        `UPDATE library_file SET identity = ?, image_size = coalesce(?, image_size),
          crc32 = ?, md5 = ?, sha1 = ?, set_key = ''
        WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)
          AND size = ? AND mtime_ns = ?`,
        [
          [
            JSON.stringify(identity),
            hashes?.size ?? identity.imageSize,
            hashes?.crc32 ?? null,
            hashes?.md5 ?? null,
            hashes?.sha1 ?? null,
            path,
            root.path,
            size,
            mtimeNs,
          ],
        ],
      );
    });
  }

  async saveMatches(root: LibraryRoot, matches: readonly StoredMatch[]): Promise<void> {
    if (matches.length === 0) return;
    const expecting = matches.filter(({ tracks }) => tracks !== undefined);
    await this.#engine.write(async (_trx, bulk) => {
      await bulk.run(
        `UPDATE library_file SET release_id = ?, method = ?, canonical = ?, tied = ?, evidence = ?,
          set_key = ? ${where}`,
        matches.map(({ match, tied, evidence, setKey, file }) => [
          match?.releaseId ?? null,
          match?.method ?? null,
          match?.canonical ?? null,
          tied.length === 0 ? null : JSON.stringify(tied),
          JSON.stringify(evidence),
          setKey,
          ...stillAs(file, root),
        ]),
      );
      await bulk.run(
        `UPDATE library_file SET identity = ?, crc32 = NULL, md5 = NULL, sha1 = NULL ${where}`,
        expecting.map(({ file, tracks }) => [
          JSON.stringify({ ...file.identity, tracks }),
          ...stillAs(file, root),
        ]),
      );
    });
  }

  async move(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return;
    await this.#engine.write(async (trx, bulk) => {
      for (const root of new Set(moves.map((move) => move.root))) await addRoot(trx, root);
      // Files may change places: first all leave theirs, for one that no file has.
      await bulk.run(
        `UPDATE library_file SET path = ':' || CAST(id AS TEXT) WHERE id = ?`,
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

  async markScanned({ path, system }: LibraryRoot): Promise<void> {
    const scanned_at = this.#clock.timestamp();
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('library_root')
        .values({ path, system, scanned_at })
        .onConflict((conflict) => conflict.column('path').doUpdateSet({ scanned_at, system }))
        .execute();
    });
  }

  async markMatched({ path }: LibraryRoot, value: string): Promise<void> {
    await this.#mark(`matched ${path}`, value);
  }

  async markSettled({ path }: LibraryRoot, version: number): Promise<void> {
    await this.#mark(`settled ${path}`, `${version}`);
  }

  async #mark(name: string, value: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('library_state')
        .values({ name, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
    });
  }
}

/** A file of which nobody else has stored something new. */
const where = `WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)
  AND size = ? AND mtime_ns = ? AND reader = ? AND coalesce(sha1, '') = ?`;

function stillAs({ path, size, mtimeNs, reader, hashes }: IdentifiedFile, root: LibraryRoot) {
  return [path, root.path, size, mtimeNs, reader, hashes?.sha1 ?? ''];
}

async function addRoot(trx: Database, { path, system }: LibraryRoot): Promise<void> {
  await trx
    .insertInto('library_root')
    .values({ path, system, scanned_at: null })
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute();
}

function toParameters({ file, match, tied, evidence }: StoredScan, root: LibraryRoot): unknown[] {
  const { identity, hashes } = file;
  return [
    root.path,
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
    tied.length === 0 ? null : JSON.stringify(tied),
    JSON.stringify(evidence),
    file.reader,
    identity.sheet.length === 0 ? null : JSON.stringify(identity.sheet),
  ];
}
