import type { FastifyInstance } from 'fastify';
import type { CoverFinder } from '../../core/covers/cover-finder.ts';
import type { Covers } from '../../core/covers/covers.ts';
import type { Library } from '../../core/library/library.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { Stats } from '../../core/stats/stats.ts';
import type { Store } from '../../core/store/store.ts';
import { createServer, type ServerOptions } from '../shared/server.ts';
import * as covers from './covers.ts';
import { answerError, errorBody } from './errors.ts';
import { listLibrary } from './library.ts';
import { prettyJson } from './pretty-json.ts';
import * as releases from './releases.ts';
import type { Endpoint } from './route.ts';
import * as store from './store.ts';
import { requireToken } from './token-check.ts';

export interface MinimalApiParts {
  readonly releases: Releases;
  readonly covers: Pick<Covers, 'openBundle'>;
  readonly coverFinder: Pick<CoverFinder, 'open'>;
  readonly store: Store;
  readonly stats: Stats;
  readonly library: Pick<Library, 'list'>;
  /** The shared token of the store; "" leaves it open. */
  readonly apiToken: string;
}

/** The minimal API as one app, not yet listening. */
export function createMinimalApi(parts: MinimalApiParts, options: ServerOptions): FastifyInstance {
  const app = createServer(options, { answerError, errorBody, ignoresTrailingSlash: true });
  app.setReplySerializer(prettyJson);
  const accessChecks = { open: [], token: [requireToken(parts.apiToken)] };
  for (const [, path, access, handle] of endpoints(parts)) {
    app.get(urlOf(path), { onRequest: accessChecks[access] }, handle);
  }
  return app;
}

function endpoints(parts: MinimalApiParts): Endpoint[] {
  // biome-ignore format: it reads as the table of minimal-api.md
  const table: Endpoint[] = [
    [1, '/', 'open', async () => ({ name: 'Catalog', endpoints: table.map(toPattern) })],
    [2, '/api/summary', 'open', releases.getSummary(parts.stats)],
    [3, '/api/releases', 'open', releases.listReleases(parts.releases)],
    [4, '/api/releases/{id}', 'open', releases.getRelease(parts.releases)],
    [5, '/api/library', 'open', listLibrary(parts.library)],
    [6, '/api/cover/{id}', 'open', covers.getCover(parts)],
    [7, '/api/store', 'token', store.listStore(parts.store)],
    [8, '/api/store/download/{name}', 'token', store.downloadArchive(parts.store)],
    [9, '/api/covers/{name}.zip', 'open', covers.downloadBundle(parts.covers)],
  ];
  return table;
}

function toPattern([, path]: Endpoint): string {
  return `GET ${path}`;
}

/** As the router writes it; what does not fit is an unknown path. The bundle's name includes its `.zip`. */
function urlOf(path: string): string {
  return path
    .replace('{id}', ':id(^[0-9]+$)')
    .replace('{name}.zip', ':name(^[A-Za-z0-9_.-]+[.]zip$)')
    .replace('{name}', ':name');
}
