import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CoverSearch, type CoverSearchFailure } from '../../src/core/covers/cover-search.ts';
import { type Clock, systemClock } from '../../src/core/shared/clock.ts';
import { HttpCoverSource } from '../../src/remote/cover-source.ts';
import { readConfig } from '../../src/settings/config.ts';
import { SqlCoverSearchRecords } from '../../src/sql/covers/cover-search-records.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import type { Tables } from '../../src/sql/tables.ts';
import type { Catalog } from '../../src/wire/catalog.ts';
import { openCatalog } from '../../src/wire/open-catalog.ts';
import { type DatGame, importGames } from '../support/data/dats.ts';
import { leasesIn } from '../support/data/leases.ts';
import { placeDatabase } from '../support/data/new-catalogue.ts';

export const actor = { kind: 'system' } as const;
export const signal = new AbortController().signal;

/** Returns bytes that start like a PNG. Different texts give different bytes. */
export const png = (text = '') => Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1');

export interface SourceServer {
  /** Base URL, for example `http://127.0.0.1:40123`. */
  readonly base: string;
  /** The requested paths as sent, in order. */
  readonly requests: string[];
  readonly headers: http.IncomingHttpHeaders[];
  /** Returns the number of connections to the server, including connections without a request. */
  readonly connections: () => number;
  respond: http.RequestListener;
}

/** Starts a server on loopback. Without `answer`, it responds 404 to every request. */
export async function useSource(respond?: http.RequestListener): Promise<SourceServer> {
  let connections = 0;
  const server = http.createServer((request, response) => {
    source.requests.push(request.url ?? '');
    source.headers.push(request.headers);
    source.respond(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const source: SourceServer = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    headers: [],
    connections: () => connections,
    respond: respond ?? ((_request, response) => response.writeHead(404).end('<html>none</html>')),
  };
  return source;
}

/**
 * Returns a listener that sends a different PNG for each path of a cover of these names. For other
 * paths, it responds 404.
 */
export function coversOf(...names: string[]): http.RequestListener {
  return (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const isThere = names.some((name) => path.endsWith(`/Named_Boxarts/${name}.png`));
    if (isThere) response.end(png(path));
    else response.writeHead(404).end();
  };
}

/** Returns a temporary folder that is removed after the test. */
export async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-covers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface CoversFixture {
  readonly catalog: Catalog;
  readonly data: string;
  /** Returns the id of the release with this name. */
  idOf(name: string): Promise<number>;
  /** Returns the bytes of the stored cover as a text, or null if there is no cover. */
  cover(name: string): Promise<string | null>;
  upload(name: string, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a catalogue with a cover source. The catalogue contains these games of the platform `Test -
 * Console`.
 */
export async function useCatalog(
  games: readonly (string | DatGame)[],
  options: { base?: string; data?: string; roots?: string } = {},
): Promise<CoversFixture> {
  const data = options.data ?? join(await useFolder(), 'data');
  const config = readConfig(
    { data, 'log-level': 'silent', 'cover-source': options.base ?? '' },
    options.roots === undefined ? {} : { CATALOG_GAMES_ROOT: options.roots },
  );
  const file = join(data, 'catalog.db');
  if (!existsSync(file)) await placeDatabase(file);
  const catalog = await openCatalog(config, { warn() {} });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await catalog.close();
    isOpen = false;
  };
  onTestFinished(close);
  if (games.length > 0) await importGames({ catalog }, games);
  const idOf = async (name: string) => {
    const filter = { system: '', q: name, search: '', platform: '', region: '' };
    const found = await catalog.releases.list({ ...filter, limit: 500, offset: 0 });
    const release = found.find((one) => one.name === name);
    if (release === undefined) throw new Error(`there is no release ${name}`);
    return release.id;
  };
  return {
    catalog,
    data,
    idOf,
    close,
    async cover(name) {
      const found = await catalog.covers.openIfStored(await idOf(name));
      return found && (await found.file.stream().toArray()).join('');
    },
    async upload(name, bytes) {
      const staged = await catalog.covers.stage(chunks(bytes));
      await catalog.covers.put(await idOf(name), staged, actor);
    },
  };
}

/**
 * Returns a cover search for the catalogue's data. The test sets its clock. Its source
 * sends requests without pauses.
 */
export async function useCoverSearch(
  { catalog, data }: CoversFixture,
  base: string,
  backoffMs: readonly number[] = [],
): Promise<{
  coverSearch: CoverSearch;
  records: SqlCoverSearchRecords;
  wait: (ms: number) => void;
  /** The failures that the search reported. */
  failures: CoverSearchFailure[];
}> {
  const sql = await openSqlite<Tables>(join(data, 'catalog.db'));
  const source = new HttpCoverSource({ base, paceMs: 0 });
  onTestFinished(async () => {
    source.close();
    await sql.close();
  });
  let waited = 0;
  let monotonic = 0;
  const clock: Clock = {
    timestamp: () => new Date(Date.now() + waited).toISOString(),
    now: () => systemClock.now() + waited,
    monotonic: () => systemClock.monotonic() + monotonic,
  };
  const records = new SqlCoverSearchRecords({ engine: sql });
  const failures: CoverSearchFailure[] = [];
  const coverSearch = new CoverSearch({
    covers: catalog.covers,
    records,
    source,
    leases: leasesIn(sql),
    clock,
    backoffMs,
    onFailure: (failure) => failures.push(failure),
  });
  return {
    coverSearch,
    records,
    failures,
    wait(ms) {
      waited += ms;
      monotonic += Math.max(ms, 0);
    },
  };
}

export async function* chunks(...bytes: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}
