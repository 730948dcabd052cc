import { sql } from 'kysely';
import type { IdentifiedFile, LibraryRoot, Match } from '../../core/library/library-file.ts';
import type {
  HandedFile,
  Move,
  ScanStore,
  StoredMatch,
  StoredScan,
} from '../../core/library/ports.ts';
import { stateOf } from '../../core/library/shown-files.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { librarySearchText } from './search-text.ts';

/** Stores the results of a scan. */
export class SqlScanStore implements ScanStore {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async save(root: LibraryRoot, scans: readonly StoredScan[]): Promise<void> {
    if (scans.length === 0) return;
    const addedAt = this.#clock.timestamp();
    await this.#engine.write(async (trx, bulk) => {
      await addRoot(trx, root); // another process may have removed the root
      await bulk.run(
        `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, serial,
          image_size, crc32, md5, sha1, release_id, method, canonical, tied, evidence, reader, sheet,
          problem, search, added_at, state, system, set_key)
        VALUES ((SELECT id FROM library_root WHERE path = ?),
          ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${systemOf}, NULL)
        ON CONFLICT (root_id, ${trx.dialect.uniqueKey('path')}) DO UPDATE SET
          size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
          identity = excluded.identity, serial = excluded.serial, image_size = excluded.image_size,
          crc32 = excluded.crc32, md5 = excluded.md5, sha1 = excluded.sha1,
          release_id = excluded.release_id, method = excluded.method,
          canonical = excluded.canonical, tied = excluded.tied, evidence = excluded.evidence,
          reader = excluded.reader, sheet = excluded.sheet, search = excluded.search,
          problem = excluded.problem, state = excluded.state,
          system = excluded.system, set_key = NULL
        WHERE library_file.size <> excluded.size OR library_file.mtime_ns <> excluded.mtime_ns
          OR (${isChosen} = coalesce(excluded.method = 'manual', false)
            AND (excluded.sha1 IS NOT NULL OR library_file.sha1 IS NULL
              OR library_file.reader <> excluded.reader))`,
        scans.map((scan) => toParameters(scan, root, addedAt)),
      );
    });
  }

  async saveHashes(
    root: LibraryRoot,
    { path, size, mtimeNs, ...file }: IdentifiedFile,
  ): Promise<void> {
    const { identity, hashes } = file;
    await this.#engine.write(async (_trx, bulk) => {
      await bulk.run(
        `UPDATE library_file SET identity = ?, problem = ?, image_size = coalesce(?, image_size),
          crc32 = ?, md5 = ?, sha1 = ?, set_key = ''
        WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)
          AND size = ? AND mtime_ns = ?`,
        [
          [
            JSON.stringify(identity),
            identity.problem,
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
          set_key = ?, search = ?, state = ?, system = ${systemOf} ${whereUnchanged}`,
        matches.map(({ match, tied, evidence, setKey, file }) => [
          match?.releaseId ?? null,
          match?.method ?? null,
          match?.canonical ?? null,
          tied.length === 0 ? null : JSON.stringify(tied),
          JSON.stringify(evidence),
          setKey,
          librarySearchText({ ...file, serial: file.identity.serial }, match?.canonical ?? null),
          stateOf({ match, tied }),
          ...systemValues(match, root),
          ...unchangedParams(file, root),
        ]),
      );
      await bulk.run(
        `UPDATE library_file SET identity = ?, crc32 = NULL, md5 = NULL, sha1 = NULL ${whereUnchanged}`,
        expecting.map(({ file, tracks }) => [
          JSON.stringify({ ...file.identity, tracks }),
          ...unchangedParams(file, root),
        ]),
      );
    });
  }

  async move(moves: readonly Move[]): Promise<void> {
    if (moves.length === 0) return;
    await this.#engine.write(async (trx, bulk) => {
      for (const root of new Set(moves.map((move) => move.root))) await addRoot(trx, root);
      // First gives each file a temporary path, which no other file has. Two files may swap their
      // paths, and paths must be unique.
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

  async handOver(from: LibraryRoot, files: readonly HandedFile[]): Promise<void> {
    if (files.length === 0) return;
    await this.#engine.write(async (trx, bulk) => {
      for (const root of new Set(files.map((file) => file.root))) {
        await addRoot(trx, root);
        await trx
          .updateTable('library_root')
          .set((set) => ({
            host: set.selectFrom('library_root').select('host').where('path', '=', from.path),
          }))
          .where('path', '=', root.path)
          .where('host', '=', '')
          .execute();
      }
      await bulk.run(
        `DELETE FROM library_file
        WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)
          AND ${recordValue('library_file')} <
            (SELECT ${recordValue('handed')} FROM library_file AS handed WHERE handed.id = ?)`,
        files.map(({ id, root, path }) => [path, root.path, id]),
      );
      await bulk.run(
        `DELETE FROM library_file WHERE id = ? AND EXISTS (SELECT 1 FROM library_file AS other
          WHERE other.path = ? AND other.id <> library_file.id
            AND other.root_id = (SELECT id FROM library_root WHERE path = ?))`,
        files.map(({ id, root, path }) => [id, path, root.path]),
      );
      await bulk.run(
        `UPDATE library_file SET root_id = (SELECT id FROM library_root WHERE path = ?), path = ?,
          system = coalesce((SELECT system FROM release WHERE id = library_file.release_id),
            (SELECT system FROM library_root WHERE path = ?))
        WHERE id = ?`,
        files.map(({ id, root, path }) => [root.path, path, root.path, id]),
      );
    });
  }

  async removeRoot({ path }: LibraryRoot): Promise<void> {
    await this.#engine.write(async (trx) => {
      const root = await trx
        .selectFrom('library_root')
        .select('id')
        .where('path', '=', path)
        .modifyEnd(trx.dialect.lockRows)
        .executeTakeFirst();
      if (root === undefined) return;
      const file = await trx
        .selectFrom('library_file')
        .select('id')
        .where('root_id', '=', root.id)
        .limit(1)
        .executeTakeFirst();
      if (file !== undefined) return;
      await trx.deleteFrom('library_root').where('id', '=', root.id).execute();
      const names = [`matched ${path}`, `settled ${path}`];
      await trx.deleteFrom('library_state').where('name', 'in', names).execute();
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
        .values({ path, system, scanned_at, problem: null })
        .onConflict((conflict) =>
          conflict
            .expression(uniqueKey(trx, 'path'))
            .doUpdateSet({ scanned_at, system, problem: null }),
        )
        .execute();
    });
  }

  async markProblem({ path, system }: LibraryRoot, problem: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('library_root')
        .values({ path, system, scanned_at: null, problem })
        .onConflict((conflict) =>
          conflict.expression(uniqueKey(trx, 'path')).doUpdateSet({ system, problem }),
        )
        .execute();
    });
  }

  async markMatched({ path }: LibraryRoot, value: string): Promise<void> {
    await this.#mark(`matched ${path}`, value);
  }

  async markSetsMatched({ path }: LibraryRoot, version: number): Promise<void> {
    await this.#mark(`settled ${path}`, `${version}`);
  }

  async #mark(name: string, value: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('library_state')
        .values({ name, value })
        .onConflict((conflict) =>
          conflict.expression(uniqueKey(trx, 'name')).doUpdateSet({ value }),
        )
        .execute();
    });
  }
}

function uniqueKey({ dialect }: Database, column: string) {
  return sql.raw(dialect.uniqueKey(column));
}

/** SQL condition on a row of `library_file`: an editor chose the release of the file. */
const isChosen = `coalesce(library_file.method = 'manual' AND library_file.release_id IS NOT NULL, false)`;

/**
 * Returns SQL for the value of a row of `library_file`, measured by the data that would be lost
 * with the row. A release chosen by an editor has the value 2, hashes have the value 1.
 */
const recordValue = (row: string) =>
  `(CASE WHEN ${row}.method = 'manual' AND ${row}.release_id IS NOT NULL THEN 2
    WHEN ${row}.sha1 IS NOT NULL THEN 1 ELSE 0 END)`;

/**
 * SQL for the system of a file: the system of its release, or of its root if no release matches.
 * The parameters are `systemValues`.
 */
export const systemOf = `coalesce((SELECT system FROM release WHERE id = ?),
  (SELECT system FROM library_root WHERE path = ?))`;

export function systemValues(match: Pick<Match, 'releaseId'> | null, { path }: LibraryRoot) {
  return [match?.releaseId ?? null, path];
}

/**
 * SQL clause that selects a file only if its record is unchanged since the record was read. The
 * parameters are `unchangedParams`.
 */
export const whereUnchanged = `WHERE path = ? AND root_id = (SELECT id FROM library_root WHERE path = ?)
  AND size = ? AND mtime_ns = ? AND reader = ? AND coalesce(sha1, '') = ?
  AND coalesce(CASE WHEN ${isChosen} THEN release_id END, 0) = ?`;

export function unchangedParams(file: IdentifiedFile, root: LibraryRoot) {
  const { path, size, mtimeNs, reader, hashes, chosen } = file;
  return [path, root.path, size, mtimeNs, reader, hashes?.sha1 ?? '', chosen?.releaseId ?? 0];
}

async function addRoot(trx: Database, { path, system }: LibraryRoot): Promise<void> {
  await trx
    .insertInto('library_root')
    .values({ path, system, scanned_at: null, problem: null })
    .onConflict((conflict) => conflict.expression(uniqueKey(trx, 'path')).doNothing())
    .execute();
}

function toParameters(
  { file, match, tied, evidence }: StoredScan,
  root: LibraryRoot,
  addedAt: string,
): unknown[] {
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
    identity.problem,
    librarySearchText({ name: file.name, serial: identity.serial }, match?.canonical ?? null),
    addedAt,
    stateOf({ match, tied }),
    ...systemValues(match, root),
  ];
}
