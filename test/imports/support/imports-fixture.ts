import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import type { FileReport } from '../../../src/core/imports/imports.ts';
import type { ImportCounts } from '../../../src/core/imports/ports.ts';
import type { ListedRelease } from '../../../src/core/releases/ports.ts';
import type { ReleaseEdit } from '../../../src/core/releases/release.ts';
import type { Catalog } from '../../../src/wire/catalog.ts';
import { SharedCatalogues } from '../../support/data/shared-catalogues.ts';

export const actor = { kind: 'system' } as const;

export type Imported = Exclude<FileReport, { refused: string }>;

export interface ImportsFixture {
  readonly catalog: Catalog;
  readonly data: string;
  /** Path of a folder for files of the test. */
  readonly folder: string;
  /** Removes everything imported so far. Revisions continue to increase. */
  empty(): Promise<void>;
  /** Writes a file and creates its folders. Returns the path of the file. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  run(
    paths: string | readonly string[],
    options?: { system?: string; source?: string; dryRun?: boolean; prune?: boolean },
  ): Promise<readonly FileReport[]>;
  /** Imports the text of a DAT, which must be accepted. Returns the counts that are not 0. */
  take(
    text: string,
    options?: Parameters<ImportsFixture['run']>[1],
  ): Promise<Partial<ImportCounts>>;
  list(filter?: Partial<Parameters<Catalog['releases']['list']>[0]>): Promise<ListedRelease[]>;
  /** Returns the release with this name. */
  get(name: string): ReturnType<Catalog['releases']['get']>;
  edit(name: string, edit: ReleaseEdit): Promise<void>;
  /** Runs a statement on the database file. Returns its rows. */
  query<T = Record<string, unknown>>(sql: string): T[];
  /** Returns the content of every table except the jobs, row by row. */
  dump(options?: { withoutHistory?: boolean }): string;
}

const catalogues = new SharedCatalogues();

/** Returns a real catalogue in a temporary folder. The folder is removed after the test. */
export async function useImports(): Promise<ImportsFixture> {
  const { catalog, folder, data, empty } = await catalogues.lend();
  onTestFinished(() => expectHashesOfRoms(join(data, 'catalog.db')));
  const seen = new Map<string, string>();
  const everything = { system: '', q: '', search: '', platform: '', region: '' };
  let written = 0;
  const fixture: ImportsFixture = {
    catalog,
    data,
    folder,
    async empty() {
      await empty();
      seen.clear();
    },
    async write(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    async run(paths, options = {}) {
      const { signal } = new AbortController();
      const { files } = await catalog.imports.importPaths(
        [paths].flat(),
        { ...options, signal, onProgress() {}, onFile() {} },
        actor,
      );
      await expectRevisions(catalog, seen);
      return files;
    },
    async take(text, options) {
      written += 1;
      const path = await fixture.write(`taken-${written}.dat`, text);
      const [report] = await fixture.run(path, options);
      if (report === undefined || 'refused' in report) throw new Error(report?.refused);
      return nonZero(report.counts);
    },
    list(filter = {}) {
      return catalog.releases.list({ ...everything, limit: 500, offset: 0, ...filter });
    },
    async get(name) {
      const found = (await fixture.list({ limit: 1_000_000 })).filter((item) => item.name === name);
      if (found[0] === undefined || found[1]) throw new Error(`${found.length} named ${name}`);
      return catalog.releases.get(found[0].id);
    },
    async edit(name, edit) {
      const { id } = await fixture.get(name);
      await catalog.releases.edit(id, edit, actor);
      await expectRevisions(catalog, seen);
    },
    query(sql) {
      return queryFile(join(data, 'catalog.db'), sql);
    },
    dump({ withoutHistory = false } = {}) {
      return dumpFile(join(data, 'catalog.db'), withoutHistory);
    },
  };
  return fixture;
}

/** Returns only the counts that are not 0. */
export function nonZero(counts: ImportCounts): Partial<ImportCounts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

export function imported(report: FileReport | undefined): Imported {
  if (report === undefined || 'refused' in report) throw new Error(report?.refused ?? 'no report');
  return report;
}

/** Returns the reason for which a file was refused. Fails the test if the file was not refused. */
export function refusal(report: FileReport | undefined): string {
  if (report === undefined || !('refused' in report)) {
    throw new Error(`not refused: ${JSON.stringify(report)}`);
  }
  return report.refused;
}

/** Expects that each changed release among the first twenty has a new revision. */
async function expectRevisions(catalog: Catalog, seen: Map<string, string>): Promise<void> {
  const everything = { system: '', q: '', search: '', platform: '', region: '' };
  for (const { id } of await catalog.releases.list({ ...everything, limit: 20, offset: 0 })) {
    const release = await catalog.releases.getWhole(id);
    const key = `${id}/${release.revision}`;
    const text = JSON.stringify(release);
    expect(text).toBe(seen.get(key) ?? text);
    seen.set(key, text);
  }
}

/** Expects that the hashes for lookups are the hashes of the ROMs. Called after every test. */
function expectHashesOfRoms(file: string): void {
  const wanted = `SELECT sha1 AS hash, release_id FROM rom WHERE sha1 <> ''
    UNION SELECT md5, release_id FROM rom WHERE md5 <> ''
    UNION SELECT crc32 || ':' || size, release_id FROM rom WHERE crc32 <> ''`;
  const found = 'SELECT hash, release_id FROM rom_hash';
  readDatabase(file, (query) => {
    expect(query(`SELECT * FROM (${wanted}) EXCEPT ${found}`)).toEqual([]);
    expect(query(`${found} EXCEPT SELECT * FROM (${wanted})`)).toEqual([]);
  });
}

function queryFile<T>(file: string, sql: string): T[] {
  return readDatabase(file, (query) => query<T>(sql));
}

/** Reads with one connection, because each connection parses the whole schema. */
function readDatabase<T>(file: string, read: (query: <Row>(sql: string) => Row[]) => T): T {
  const database = new Database(file, { readonly: true });
  try {
    return read(<Row>(sql: string) => database.prepare<[], Row>(sql).all());
  } finally {
    database.close();
  }
}

function dumpFile(file: string, withoutHistory: boolean): string {
  const left = [
    'job',
    ...(withoutHistory ? ['import', 'import_version', 'audit', 'sqlite_sequence'] : []),
  ];
  return readDatabase(file, (query) => {
    const tables = query<{ name: string }>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
      .filter(({ name }) => !left.includes(name))
      // the layout of the search index depends on the transaction boundaries
      .filter(({ name }) => !withoutHistory || !/^release_(name|search)_/.test(name));
    return tables
      .map(({ name }) => {
        const rows = query(`SELECT * FROM "${name}"`).map((row) => JSON.stringify(row));
        return `${name}\n${rows.filter((row) => name !== 'sqlite_sequence' || !row.includes('"job"')).join('\n')}`;
      })
      .join('\n');
  });
}
