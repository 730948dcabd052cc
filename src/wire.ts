import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { Accounts } from './core/accounts/accounts.ts';
import { LoginThrottle } from './core/accounts/login-throttle.ts';
import { CoverBundler } from './core/covers/cover-bundler.ts';
import { CoverExtractor } from './core/covers/cover-extractor.ts';
import { CoverFetcher } from './core/covers/cover-fetcher.ts';
import { CoverFinder } from './core/covers/cover-finder.ts';
import { Covers } from './core/covers/covers.ts';
import { Imports } from './core/imports/imports.ts';
import { Jobs } from './core/jobs/jobs.ts';
import { Library } from './core/library/library.ts';
import type { LibraryRoot } from './core/library/library-file.ts';
import { LibraryScanner } from './core/library/scanner.ts';
import { Releases } from './core/releases/releases.ts';
import { systemClock } from './core/shared/clock.ts';
import { refused } from './core/shared/errors.ts';
import { Stats } from './core/stats/stats.ts';
import { Store } from './core/store/store.ts';
import { findDats } from './dats/files/find-dats.ts';
import { readDat } from './dats/read-dat.ts';
import { readDiscArt } from './disk/disc-art.ts';
import { localDisk } from './disk/local-disk.ts';
import { ensureDataFolder } from './files/data-folder.ts';
import { localArea, ownTmp } from './files/local-area.ts';
import { isAbandoned, ownerMark } from './files/owner.ts';
import { sweepTmp } from './files/sweep-tmp.ts';
import { writeZip } from './files/write-zip.ts';
import { argon2Passwords } from './passwords/argon2.ts';
import { HttpCoverSource } from './remote/cover-source.ts';
import { SqlAccountRecords } from './sql/accounts.ts';
import { SqlCoverSearchRecords } from './sql/covers.ts';
import { SqlFileRecords } from './sql/files.ts';
import { SqlImportRecords } from './sql/imports.ts';
import { SqlJobRecords } from './sql/jobs.ts';
import { SqlLibraryRecords } from './sql/library.ts';
import { migrations } from './sql/migrations/list.ts';
import { NotedWrites } from './sql/noted-writes.ts';
import { SqlReleaseRecords } from './sql/releases.ts';
import { migrate } from './sql/sqlite/migrate.ts';
import { openSqlite } from './sql/sqlite/open.ts';
import { SqlStatsRecords } from './sql/stats.ts';
import type { Tables } from './sql/tables.ts';

/** What is said about things that nobody waits for. */
export interface WarningLog {
  warn(fields: object, message: string): void;
}

/** Everything that works, over one data folder. */
export interface Catalog {
  readonly accounts: Accounts;
  readonly releases: Releases;
  readonly covers: Covers;
  readonly coverFinder: CoverFinder;
  readonly coverFetcher: CoverFetcher;
  readonly coverExtractor: CoverExtractor;
  readonly coverBundler: CoverBundler;
  readonly store: Store;
  readonly stats: Stats;
  readonly imports: Imports;
  readonly jobs: Jobs;
  readonly scanner: LibraryScanner;
  readonly library: Library;
  /** The folders that are scanned, absolute. */
  readonly libraryRoots: readonly LibraryRoot[];
  /** Throws when the database cannot be read. */
  checkHealth(): Promise<void>;
  /** Writes a consistent copy of the database while others use it. */
  backup(file: string): Promise<void>;
  /** Writes what was only noted, and closes the database. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Refuses a data folder without a catalogue instead of creating one there, so that a mistyped path makes nothing. */
  readonly mustExist?: boolean;
  /** Reading connections; one is enough for a command. */
  readonly readers?: number;
}

/** Opens the data folder, creating and migrating what is missing, and puts the parts together. */
export async function openCatalog(
  config: Config,
  log: WarningLog,
  options: OpenOptions = {},
): Promise<Catalog> {
  const clock = systemClock;
  if (options.mustExist && !existsSync(join(config.data, 'catalog.db'))) {
    throw refused(
      `there is no catalogue in ${config.data}: check --data ("catalog serve" and "catalog import" begin one)`,
    );
  }
  const warning = await ensureDataFolder(config.data);
  if (warning !== null) log.warn({}, warning);
  const tmp = join(config.data, 'tmp');
  const area = (...folder: string[]) => localArea({ folder: join(config.data, ...folder), tmp });
  await mkdir(join(config.data, 'covers'), { recursive: true });
  await sweepTmp(tmp);
  for (const folder of [['covers'], ['store', 'games'], ['store', 'videos']]) {
    await sweepTmp(ownTmp(join(config.data, ...folder)));
  }

  const sql = await openSqlite<Tables>(join(config.data, 'catalog.db'), {
    create: true,
    readers: options.readers ?? 2,
  });
  try {
    await migrate(sql, migrations);
  } catch (error) {
    await sql.close();
    throw error;
  }
  const notes = new NotedWrites(sql, (count, error) => {
    log.warn({ err: error, count }, 'notes of token uses or downloads were lost');
  });

  const files = new SqlFileRecords({ sql, notes, clock });
  const coverArea = area('covers');
  const disk = localDisk();
  const libraryRecords = new SqlLibraryRecords({ sql, clock });
  const scanner = new LibraryScanner({ disk, records: libraryRecords });
  const libraryRoots = await rootsOf(config);
  const library = new Library({
    records: libraryRecords,
    scanner,
    roots: libraryRoots,
    clock,
    onReport: ({ problems, unreadable, damaged }) => {
      for (const problem of problems) log.warn(problem, 'a library root was left as it was known');
      for (const file of unreadable) log.warn(file, 'a file of the library cannot be read');
      for (const file of damaged) log.warn(file, 'a file of the library is damaged');
    },
  });
  const coverSearch = new SqlCoverSearchRecords({ sql });
  const covers = new Covers({ area: coverArea, records: files, misses: coverSearch, clock });
  const { coverSource: base } = config;
  const coverSource = base === '' ? null : new HttpCoverSource({ base });
  const coverParts = { covers, records: coverSearch };
  const coverFinder = new CoverFinder({
    ...coverParts,
    source: coverSource,
    clock,
    onFailure({ releaseId: release, source, reason }) {
      log.warn({ release, source, reason }, 'the cover source could not be asked');
    },
  });
  return {
    accounts: new Accounts({
      records: new SqlAccountRecords({ sql, notes, clock }),
      passwords: await argon2Passwords(),
      throttle: new LoginThrottle(
        { failures: config.loginFailures, windowMs: config.loginWindowMinutes * 60_000 },
        clock,
      ),
      clock,
      tokenDays: config.tokenDays,
    }),
    releases: new Releases(new SqlReleaseRecords({ sql, clock })),
    covers,
    coverFinder,
    coverFetcher: new CoverFetcher({ ...coverParts, finder: coverFinder }),
    coverExtractor: new CoverExtractor({ ...coverParts, readDiscArt }),
    coverBundler: new CoverBundler({ ...coverParts, area: coverArea, bundles: files, writeZip }),
    store: new Store({
      areas: { games: area('store', 'games'), videos: area('store', 'videos') },
      records: files,
      maxArchiveBytes: config.maxArchiveBytes,
    }),
    stats: new Stats({ records: new SqlStatsRecords({ sql, notes }), covers: coverArea }),
    imports: new Imports({
      records: new SqlImportRecords({ sql, clock }),
      readDat,
      findDats,
      releasesWithCover: () => covers.releasesWithCover(),
    }),
    jobs: new Jobs({
      records: new SqlJobRecords({ sql, clock }),
      clock,
      owner: ownerMark(),
      ownerIsDead: (owner) => isAbandoned(owner, Date.now()),
    }),
    scanner,
    library,
    libraryRoots,
    async checkHealth() {
      await sql.read.selectFrom('source').select('id').limit(1).execute();
    },
    backup: (file) => sql.backup(file),
    async close() {
      await coverFinder.close();
      coverSource?.close();
      await library.close();
      await disk.close();
      await notes.close();
      await sql.close();
    },
  };
}

/** The library roots, each folder once; those that are the default folders below the data folder are created. */
async function rootsOf(config: Config): Promise<LibraryRoot[]> {
  const named: LibraryRoot[] = [
    ...config.gamesRoots.map((path) => ({ path, system: 'games' as const })),
    ...config.videosRoots.map((path) => ({ path, system: 'videos' as const })),
  ];
  const roots = named.filter(
    ({ path }, index) => named.findIndex((other) => other.path === path) === index,
  );
  for (const { path, system } of roots) {
    if (path === join(config.data, system)) await mkdir(path, { recursive: true });
  }
  return roots;
}
