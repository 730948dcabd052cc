import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { LibraryItem, LibraryRoot } from '../../src/core/library/library-file.ts';
import type { Disk, LibraryRecords } from '../../src/core/library/ports.ts';
import type { ScanOptions, ScanReport } from '../../src/core/library/scan/scan-report.ts';
import { LibraryScanner } from '../../src/core/library/scan/scanner.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import { failureOf, toError } from '../../src/disk/file-failure.ts';
import { localDisk } from '../../src/disk/local-disk.ts';
import { walk } from '../../src/disk/walk/walk.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { sqlLibraryRecords } from '../../src/sql/library/library-records.ts';
import type { Tables } from '../../src/sql/tables.ts';
import type { Catalog } from '../../src/wire/catalog.ts';
import type { RomText, RowText } from '../imports/support/dat-text.ts';
import { xml } from '../imports/support/dat-text.ts';
import { SharedCatalogues } from '../support/data/shared-catalogues.ts';

export interface LibraryFixture {
  readonly catalog: Catalog;
  readonly folder: string;
  readonly games: LibraryRoot;
  readonly videos: LibraryRoot;
  readonly records: LibraryRecords;
  readonly sql: Engine;
  readonly scanner: LibraryScanner;
  /**
   * Names of the files that were opened since `forgetCalls`. `identified` lists files opened for
   * identification, and `hashed` lists files opened for hashing.
   */
  readonly identified: string[];
  readonly hashed: string[];
  forgetCalls(): void;
  /** Writes a file below the games root and creates its folders. Returns the path of the file. */
  write(name: string, content?: Uint8Array | string): Promise<string>;
  /** Imports a DAT with these rows. */
  take(rows: readonly RowText[], platform?: string, source?: string): Promise<void>;
  importFile(path: string, source?: string): Promise<void>;
  scan(options?: Partial<ScanOptions>): Promise<ScanReport>;
  items(): Promise<LibraryItem[]>;
  /**
   * Returns the name of the release that matches a file, the method, and the canonical name; null
   * if none matches.
   */
  matchOf(name: string): Promise<{ release: string; method: string; canonical: string } | null>;
  /** Returns the value of a column in the record of a file. */
  stored<K extends keyof Tables['library_file']>(name: string, column: K): Promise<unknown>;
}

const catalogues = new SharedCatalogues((folder) => ({
  'games-root': join(folder, 'games'),
  'videos-root': join(folder, 'videos'),
}));
const threads = localDisk();

/**
 * The real disk. All tests of a process share its hashing threads, which end with the process.
 * Folders are walked on this thread, because starting a thread for each walk is slow.
 */
export const realDisk: Disk = {
  ...threads,
  async *walk(root, onUnreadable, except) {
    try {
      for (const { files, unreadable } of walk(root, except)) {
        for (const { path, reason } of unreadable) onUnreadable(path, reason);
        yield files;
      }
    } catch (error) {
      const failure = failureOf(error);
      throw failure === null ? error : toError(failure);
    }
  },
};

/**
 * Returns a real catalogue, two library roots, and a scanner for the real disk. The scanner records
 * which files are opened.
 */
export async function useLibrary(): Promise<LibraryFixture> {
  const { catalog, sql, folder } = await catalogues.lend();
  const games: LibraryRoot = { path: join(folder, 'games'), system: 'games' };
  const videos: LibraryRoot = { path: join(folder, 'videos'), system: 'videos' };
  for (const root of [games, videos]) mkdirSync(root.path);
  const records = sqlLibraryRecords({ engine: sql, clock: systemClock });
  const identified: string[] = [];
  const hashed: string[] = [];
  const disk: Disk = {
    ...realDisk,
    identify(path) {
      identified.push(path.slice(folder.length + 1));
      return realDisk.identify(path);
    },
    hash(path, identity, options) {
      hashed.push(path.slice(folder.length + 1));
      return realDisk.hash(path, identity, options);
    },
  };
  const scanner = new LibraryScanner({ disk, records });
  let imports = 0;
  const fixture: LibraryFixture = {
    catalog,
    folder,
    games,
    videos,
    records,
    sql,
    scanner,
    identified,
    hashed,
    forgetCalls() {
      identified.length = 0;
      hashed.length = 0;
    },
    async write(name, content = name) {
      const path = join(games.path, name);
      mkdirSync(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async take(rows, platform = 'Nintendo - GameCube', source) {
      imports += 1;
      const path = join(folder, `${imports}.dat`);
      await writeFile(path, xml(rows, platform));
      await fixture.importFile(path, source);
    },
    async importFile(path, source) {
      const { signal } = new AbortController();
      const options = { ...(source && { source }), signal, onProgress() {}, onFile() {} };
      const { files } = await catalog.imports.importPaths([path], options, { kind: 'system' });
      const [report] = files;
      if (report === undefined || 'refused' in report) throw new Error(report?.refused);
    },
    scan(options = {}) {
      return scanner.scan({
        roots: [games, videos],
        hash: false,
        full: false,
        forget: false,
        jobs: 2,
        retriesWhenBusy: false,
        signal: new AbortController().signal,
        onProgress() {},
        ...options,
      });
    },
    items: () => records.list.items([games, videos]),
    async matchOf(name) {
      const item = (await fixture.items()).find((one) => one.name === name);
      if (item === undefined) throw new Error(`${name} is not in the library`);
      if (item.releaseId === null) return null;
      const release = await catalog.releases.get(item.releaseId);
      return {
        release: release.name,
        method: item.method ?? '',
        canonical: item.canonical ?? '',
      };
    },
    async stored(name, column) {
      const row = await sql.read
        .selectFrom('library_file')
        .select(column)
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return (row as Record<string, unknown>)[column];
    },
  };
  return fixture;
}

/** Returns a ROM with this content, as a DAT lists it. */
export function romOf(
  content: Uint8Array | string,
  name: string,
): Required<Omit<RomText, 'serial'>> {
  const bytes = Buffer.from(content);
  const hash = (kind: string) => createHash(kind).update(bytes).digest('hex');
  return {
    name,
    size: bytes.length,
    crc: crc32(bytes).toString(16).padStart(8, '0'),
    md5: hash('md5'),
    sha1: hash('sha1'),
  };
}

/** Sets the modification time of a file, in whole seconds since 1970. */
export async function touch(path: string, seconds: number): Promise<void> {
  await utimes(path, seconds, seconds);
}

/**
 * Runs `work` as a user to whom file permissions apply, even if root runs the tests. If root runs
 * the tests, the owner of the folder becomes this user.
 */
export async function asPlainUser<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  execFileSync('chown', ['-R', `${nobodyId}`, folder]);
  process.seteuid?.(nobodyId);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const nobodyId = 65_534;
