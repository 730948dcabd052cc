import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Covers } from '../../core/covers/covers.ts';
import type { Imports } from '../../core/imports/imports.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { Stats } from '../../core/stats/stats.ts';
import type { Store } from '../../core/store/store.ts';
import { servePage } from '../page/serve-page.ts';
import { createServer, type ServerOptions } from '../shared/server.ts';
import * as auth from './auth.ts';
import * as covers from './covers.ts';
import { answerError, errorBody } from './errors.ts';
import * as imports from './imports.ts';
import { serveReference } from './openapi.ts';
import { addRoutes } from './register.ts';
import * as releases from './releases.ts';
import type { Endpoint } from './route.ts';
import { shared } from './schemas.ts';
import * as stats from './stats.ts';
import * as store from './store.ts';
import * as users from './users.ts';

export interface AccountApiParts {
  readonly accounts: Accounts;
  readonly releases: Releases;
  readonly covers: Covers;
  readonly store: Store;
  readonly imports: Imports;
  readonly stats: Stats;
  /** Throws when the service cannot do its work; for health checks. */
  readonly checkHealth: () => Promise<void>;
  /** Other sites whose pages may call this API. */
  readonly corsOrigins: readonly string[];
  readonly version: string;
}

/** The account API as one app, not yet listening. */
export async function createAccountApi(
  parts: AccountApiParts,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const app = createServer(options, { answerError, errorBody });
  if (parts.corsOrigins.length > 0) {
    app.addHook('onRequest', refuseNoPreflight);
    await app.register(cors, {
      origin: [...parts.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['authorization', 'content-type', 'range', 'if-range', 'if-none-match'],
      exposedHeaders: ['etag', 'content-range', 'content-disposition', 'retry-after'],
    });
  }
  for (const schema of shared) app.addSchema(schema);
  await serveReference(app, parts.version);
  addRoutes(app, parts, endpoints(parts));
  servePage(app);
  return app;
}

/** OPTIONS that is no preflight (Fetch, 4.8) is a method like any other, which no path has. */
async function refuseNoPreflight({ method, headers }: FastifyRequest, reply: FastifyReply) {
  if (method !== 'OPTIONS') return;
  if (!headers.origin || !headers['access-control-request-method']) return reply.callNotFound();
}

function endpoints(parts: AccountApiParts): Endpoint[] {
  const { accounts } = parts;
  // biome-ignore format: it reads as the table of account-api.md
  return [
    [1, 'POST', '/api/auth/login', 'open', auth.login(accounts)],
    [2, 'GET', '/api/auth/me', 'user', auth.me()],
    [3, 'POST', '/api/auth/logout', 'open', auth.logout(accounts)],
    [4, 'GET', '/api/users', 'admin', users.listUsers(accounts)],
    [5, 'POST', '/api/users', 'admin', users.createUser(accounts)],
    [6, 'PATCH', '/api/users/:user_id', 'admin', users.updateUser(accounts)],
    [7, 'DELETE', '/api/users/:user_id', 'admin', users.deleteUser(accounts)],
    [8, 'GET', '/api/users/:user_id/tokens', 'admin', users.listUserTokens(accounts)],
    [9, 'DELETE', '/api/users/:user_id/tokens/:token_id', 'admin', users.revokeUserToken(accounts)],
    [10, 'GET', '/api/releases', 'open', releases.listReleases(parts.releases)],
    [11, 'GET', '/api/releases/:release_id', 'open', releases.getRelease(parts.releases)],
    [12, 'PATCH', '/api/releases/:release_id', 'editor', releases.editRelease(parts.releases)],
    [13, 'GET', '/api/cover/:release_id', 'open', covers.getCover(parts)],
    [14, 'POST', '/api/cover/:release_id', 'editor', covers.putCover(parts)],
    [15, 'DELETE', '/api/cover/:release_id', 'editor', covers.removeCover(parts)],
    [16, 'GET', '/api/store', 'open', store.listStore(parts.store)],
    [17, 'GET', '/api/store/download/:system/:name', 'user', store.downloadArchive(parts.store)],
    [18, 'POST', '/api/store/upload', 'editor', store.uploadArchive(parts.store)],
    [19, 'DELETE', '/api/store/:system/:name', 'editor', store.removeArchive(parts.store)],
    [20, 'GET', '/api/stats', 'admin', stats.getStats(parts.stats)],
    [null, 'POST', '/api/auth/password', 'user', auth.changeOwnPassword(accounts)],
    [null, 'GET', '/api/auth/tokens', 'user', auth.listOwnTokens(accounts)],
    [null, 'POST', '/api/auth/tokens', 'user', auth.createOwnToken(accounts)],
    [null, 'DELETE', '/api/auth/tokens/:id', 'user', auth.revokeOwnToken(accounts)],
    [null, 'GET', '/api/facets', 'open', releases.getFacets(parts.releases)],
    [null, 'GET', '/api/letters', 'open', releases.getLetters(parts.releases)],
    [null, 'GET', '/api/imports', 'editor', imports.listImports(parts.imports)],
    [null, 'GET', '/api/imports/:import_id', 'editor', imports.getImport(parts.imports)],
    [null, 'GET', '/api/health', 'open', stats.getHealth(parts.checkHealth)],
  ];
}
