import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestActor } from '../../../../src/core/shared/requests/actor.ts';
import type { Role } from '../../../../src/core/shared/requests/role.ts';
import { accountDocument } from '../../../../src/http/account-api/app.ts';
import type { Engine } from '../../../../src/sql/engine/engine.ts';
import { lossesOfRight } from '../../../contract/fixtures/rights.ts';
import { openDatabaseOf } from '../../../support/data/database-of.ts';
import { importGames } from '../../../support/data/dats.ts';
import { makeToken, makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  formBody,
  formPart,
  formType,
  type Requester,
} from '../../../support/http/requester.ts';
import { metadataOf, tusClient } from '../../../support/http/tus.ts';

/** A user who sends a request, with a separate token for the request. */
interface Person {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly tokenId: number;
  readonly token: string;
}

/** A request that writes, without its credentials. */
interface Sent {
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: Buffer;
}

interface Writing {
  /** Lowest role that may send the request. */
  readonly role: Role;
  /** Creates the objects that the request needs. Returns the request. */
  prepare(person: Person): Promise<Sent>;
}

const json = (path: string, value: unknown): Sent => ({
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
const form = (path: string, filename: string): Sent => ({
  path,
  headers: { 'content-type': formType },
  body: formBody(formPart({ bytes: 'x'.repeat(10_000), filename })),
});

let app: TestApp;
let ask: Requester;
let database: Engine;
let root: string;
/** Called when the server has accepted the credentials of a request. */
let onAuthenticated = () => {};
let made = 0;
const another = (what: string) => {
  made += 1;
  return `${what}-${made}`;
};
const tus = { 'tus-resumable': '1.0.0' };

/** Requests to each route that writes. The keys are method and path as in the OpenAPI document. */
const writings: Readonly<Record<string, Writing>> = {
  'POST /api/users': {
    role: 'admin',
    prepare: async () =>
      json('/api/users', { username: another('made'), password: 'p', role: 'admin' }),
  },
  'PATCH /api/users/{user_id}': {
    role: 'admin',
    prepare: async () => {
      const { id } = await makeUser(app, 'user');
      return json(`/api/users/${id}`, { role: 'admin' });
    },
  },
  'DELETE /api/users/{user_id}': {
    role: 'admin',
    prepare: async () => ({ path: `/api/users/${(await makeUser(app, 'user')).id}` }),
  },
  'DELETE /api/users/{user_id}/tokens/{token_id}': {
    role: 'admin',
    prepare: async () => {
      const user = await makeUser(app, 'user');
      const token = await app.catalog.accounts.issueToken(user, 'a', 1, { kind: 'system' });
      return { path: `/api/users/${user.id}/tokens/${token.id}` };
    },
  },
  'PATCH /api/releases/{release_id}': {
    role: 'editor',
    prepare: async () => json('/api/releases/1', { name: another('name') }),
  },
  'POST /api/cover/{release_id}': {
    role: 'editor',
    prepare: async () => form('/api/cover/1', 'cover.png'),
  },
  'DELETE /api/cover/{release_id}': {
    role: 'editor',
    prepare: async () => {
      await write(form('/api/cover/1', 'cover.png'));
      return { path: '/api/cover/1' };
    },
  },
  'POST /api/store/upload': {
    role: 'editor',
    prepare: async () => form('/api/store/upload', `${another('archive')}.zip`),
  },
  'DELETE /api/store/{system}/{name}': {
    role: 'editor',
    prepare: async () => {
      const name = `${another('archive')}.zip`;
      await write(form('/api/store/upload', name));
      return { path: `/api/store/games/${name}` };
    },
  },
  'POST /api/auth/password': {
    role: 'user',
    prepare: async ({ username }) => json('/api/auth/password', { current: username, new: 'new' }),
  },
  'POST /api/auth/tokens': {
    role: 'user',
    prepare: async () => json('/api/auth/tokens', { label: 'mine' }),
  },
  'DELETE /api/auth/tokens/{id}': {
    role: 'user',
    prepare: async ({ id }) => {
      const { accounts } = app.catalog;
      const user = await accounts.getUser(id);
      const token = await accounts.issueToken(user, 'other', 1, { kind: 'system' });
      return { path: `/api/auth/tokens/${token.id}` };
    },
  },
  'DELETE /api/releases/{release_id}/edits/{field}': {
    role: 'editor',
    prepare: async () => {
      await write(json('/api/releases/1', { region: another('region') }), 'PATCH');
      return { path: '/api/releases/1/edits/region' };
    },
  },
  'POST /api/library/{file_id}/match': {
    role: 'editor',
    prepare: async () => json('/api/library/1/match', { release_id: 1 }),
  },
  'POST /api/jobs': {
    role: 'editor',
    prepare: async () => json('/api/jobs', { kind: 'scan', options: {} }),
  },
  'POST /api/jobs/{job_id}/stop': {
    role: 'editor',
    prepare: async () => {
      const kind = another('job');
      const begun = await app.catalog.jobs.begin({ kind, options: {}, actor: { kind: 'system' } });
      return { path: `/api/jobs/${'id' in begun ? begun.id : 0}/stop` };
    },
  },
  'POST /api/sets': {
    role: 'user',
    prepare: async () => json('/api/sets', { name: another('set'), rule: { all: [] } }),
  },
  'PATCH /api/sets/{set_id}': {
    role: 'user',
    prepare: async (person) => json(`/api/sets/${await saveSet(person)}`, { rule: { any: [] } }),
  },
  'DELETE /api/sets/{set_id}': {
    role: 'user',
    prepare: async (person) => ({ path: `/api/sets/${await saveSet(person)}` }),
  },
  'PATCH /api/schedules/{kind}': {
    role: 'admin',
    prepare: async () => json('/api/schedules/scan', { on: true, time: '03:00' }),
  },
  'POST /api/uploads': {
    role: 'editor',
    prepare: async () => ({
      path: '/api/uploads',
      headers: { ...tus, 'upload-length': 10_000, 'upload-metadata': nameless() },
    }),
  },
  'PATCH /api/uploads/{upload_id}': {
    role: 'editor',
    prepare: async (person) => ({
      path: await beginUpload(person),
      headers: {
        ...tus,
        'upload-offset': 0,
        'content-type': 'application/offset+octet-stream',
      },
      body: Buffer.alloc(10_000, 'x'),
    }),
  },
  'DELETE /api/uploads/{upload_id}': {
    role: 'editor',
    prepare: async (person) => ({ path: await beginUpload(person), headers: tus }),
  },
};

/** Routes without a request body. No right can be lost while a body arrives. */
const withoutBody = [
  ...Object.keys(writings).filter((key) => key.startsWith('DELETE ')),
  'POST /api/jobs/{job_id}/stop',
  'POST /api/uploads',
];

/** Writes that need no right beyond the credentials that they contain. */
const withoutRight = ['POST /api/auth/login', 'POST /api/auth/logout'];

/**
 * Ways in which a request to the API removes a user's right. `status` is the response to the user's
 * next write.
 */
const losses: readonly {
  readonly loss: string;
  readonly status: 401 | 403;
  /** A role that cannot lose its right in this way, if there is one. */
  readonly except?: Role;
  take(person: Person): Promise<{ status: number }>;
}[] = [
  {
    loss: 'demoted',
    status: 403,
    except: 'user',
    take: ({ id }) => byAdmin('PATCH', `/api/users/${id}`, { role: 'user' }),
  },
  {
    loss: 'deactivated',
    status: 401,
    take: ({ id }) => byAdmin('PATCH', `/api/users/${id}`, { is_active: false }),
  },
  { loss: 'deleted', status: 401, take: ({ id }) => byAdmin('DELETE', `/api/users/${id}`) },
  {
    loss: 'without the token, which was revoked',
    status: 401,
    take: ({ id, tokenId }) => byAdmin('DELETE', `/api/users/${id}/tokens/${tokenId}`),
  },
  {
    loss: 'logged out',
    status: 401,
    take: ({ token }) => ask('POST', '/api/auth/logout', { token }),
  },
  {
    loss: 'without tokens, after a new password',
    status: 401,
    take: ({ id }) =>
      byAdmin('PATCH', `/api/users/${id}`, { password: 'other', revoke_tokens: true }),
  },
];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  await writeFile(join(root, 'unknown.bin'), 'who');
  app = await startTestApp({ 'games-root': root });
  ask = createRequester(app.url);
  database = await openDatabaseOf(app);
  const { accounts } = app.catalog;
  const authenticate = accounts.authenticate.bind(accounts);
  accounts.authenticate = async (...given) => {
    const credential = await authenticate(...given);
    onAuthenticated();
    return credential;
  };
  await importGames(app, ['One']);
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await database.close();
  await app.close();
  await rm(root, { recursive: true });
});

test('covers every route that writes', () => {
  const { paths } = accountDocument('1');
  const writing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object)
      .map((method) => method.toUpperCase())
      .filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      .map((method) => `${method} ${path}`),
  );
  expect(writing.sort()).toEqual([...Object.keys(writings), ...withoutRight].sort());
});

describe.each(Object.entries(writings))('%s', (key, { role, prepare }) => {
  const [method = ''] = key.split(' ');
  const ofRole = losses.filter(({ except }) => except !== role);

  test.each(ofRole)('refuses a user who is $loss while the body arrives', async (lost) => {
    const person = await makeWriter(role);
    const sent = await prepare(person);
    if (sent.body === undefined) return expect(withoutBody).toContain(key);
    const request = await beginAccepted(method, sent, person.token);
    request.write(sent.body.subarray(0, -1));
    expect((await lost.take(person)).status).toBe(200);
    const before = await contentOf(database);
    request.end(sent.body.subarray(-1));
    expect(await answerOf(request)).toEqual(refusal(lost.status));
    expect(await contentOf(database)).toEqual(before);
    expect(await leftovers()).toEqual([]);
  });

  test.each(lossesOfRight.filter(({ kind }) => kind !== 'forbidden' || role !== 'user'))(
    'refuses a user who $loss just before the commit',
    async ({ take, kind }) => {
      const person = await makeWriter(role);
      const sent = await prepare(person);
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const { promise: isTaken, resolve: taken } = Promise.withResolvers<bigint>();
      // Takes the right away in a transaction. The transaction is open until the write waits for
      // its lock.
      const holding = database.write(async (trx) => {
        await take(trx, actorOf(person));
        taken(await writersWaited());
        await mayCommit;
      });
      const waitedBefore = await isTaken;
      const request = begin(method, sent, person.token);
      request.end(sent.body);
      const answer = answerOf(request);
      while ((await writersWaited()) === waitedBefore) await pause(5);
      commit();
      await holding;
      const before = await contentOf(database);
      expect(await answer).toEqual(refusal(kind === 'forbidden' ? 403 : 401));
      expect(await contentOf(database)).toEqual(before);
      expect(await leftovers()).toEqual([]);
    },
  );
});

test('accepts an upload of a user who was promoted while the body arrived', async () => {
  const person = await makeWriter('editor');
  const sent = form('/api/store/upload', 'promoted.zip');
  const request = await beginAccepted('POST', sent, person.token);
  request.write((sent.body as Buffer).subarray(0, -1));
  await byAdmin('PATCH', `/api/users/${person.id}`, { role: 'admin' });
  request.end((sent.body as Buffer).subarray(-1));
  expect(await answerOf(request)).toMatchObject([200, { ok: true }]);
});

test("refuses a job on others' uploads if the admin has become an editor meanwhile", async () => {
  const tus = tusClient(ask, (await makeWriter('editor')).token);
  const address = await tus.createUpload(1, { filename: `${another('dat')}.dat`, system: 'dats' });
  await tus.send(address, 0, Buffer.from('x'));
  const { id } = await tus.waitUntilChecked(address);
  const person = await makeWriter('admin');
  const sent = json('/api/jobs', { kind: 'import-preview', options: { uploads: [Number(id)] } });
  const request = await beginAccepted('POST', sent, person.token);
  request.write((sent.body as Buffer).subarray(0, -1));
  await byAdmin('PATCH', `/api/users/${person.id}`, { role: 'editor' });
  request.end((sent.body as Buffer).subarray(-1));
  expect(await answerOf(request)).toEqual(refusal(403));
  expect(
    await app.catalog.jobs.list({ state: '', kind: 'import-preview' }, { limit: 1, before: null }),
  ).toEqual([]);
});

test('lets an upload continue under another token of its user', async () => {
  const person = await makeWriter('editor');
  const address = await beginUpload(person);
  const other = await makeToken(app, await app.catalog.accounts.getUser(person.id));
  await byAdmin('DELETE', `/api/users/${person.id}/tokens/${person.tokenId}`);
  const headers = { ...tus, 'upload-offset': 0, 'content-type': 'application/offset+octet-stream' };
  const body = Buffer.alloc(10_000, 'x');
  const chunk = await ask('PATCH', address, { token: other, headers, body });
  expect(chunk.status).toBe(204);
});

const refusal = (status: 401 | 403) => [
  status,
  { detail: status === 401 ? 'not authenticated' : 'forbidden' },
];

const byAdmin = (method: string, path: string, value?: unknown) =>
  ask(method, path, { token: app.adminToken, ...(value !== undefined && { json: value }) });

/** Saves a set of a user. Returns its id. */
async function saveSet({ token }: Person): Promise<number> {
  const set = { name: another('set'), rule: { all: [] } };
  return (await ask('POST', '/api/sets', { token, json: set })).json.id as number;
}

const nameless = () => metadataOf({ filename: `${another('archive')}.zip`, system: 'games' });

async function beginUpload({ token }: Person): Promise<string> {
  const headers = { ...tus, 'upload-length': 20_000, 'upload-metadata': nameless() };
  const { headers: given } = await ask('POST', '/api/uploads', { token, headers });
  return given.location ?? '';
}

async function makeWriter(role: Role): Promise<Person> {
  const { id, username } = await makeUser(app, role);
  const user = await app.catalog.accounts.getUser(id);
  const { id: tokenId, value } = await app.catalog.accounts.issueToken(user, 'a', 1, {
    kind: 'system',
  });
  return { id, username, role, tokenId, token: value };
}

const actorOf = ({ id, username, role, tokenId }: Person): RequestActor => ({
  kind: 'user',
  ...{ userId: id, username, address: '127.0.0.1' },
  right: { role, tokenId },
});

/** Sends a request as the admin to prepare a case. The request must succeed. */
async function write({ path, headers = {}, body }: Sent, method = 'POST'): Promise<void> {
  const { status } = await ask(method, path, {
    token: app.adminToken,
    headers,
    ...(body && { body }),
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
}

/** The response to each request of `begin`. */
const responses = new WeakMap<http.ClientRequest, Promise<[http.IncomingMessage]>>();

function begin(method: string, { path, headers, body }: Sent, token: string): http.ClientRequest {
  const { hostname, port } = new URL(app.url);
  const length = body === undefined ? {} : { 'content-length': body.length };
  const request = http.request({
    ...{ hostname, port, method, path, agent: false },
    headers: { ...headers, ...length, authorization: `Bearer ${token}` },
  });
  request.flushHeaders();
  // The server may refuse a request before its body has arrived, so listen from the beginning.
  const response = once(request, 'response') as Promise<[http.IncomingMessage]>;
  response.catch(() => {}); // `answerOf` reports a failure
  request.on('error', () => {}); // the rest of a refused body may not be sent
  responses.set(request, response);
  return request;
}

/**
 * Starts a request without sending its body. Resolves when the server has accepted the credentials.
 */
async function beginAccepted(
  method: string,
  sent: Sent,
  token: string,
): Promise<http.ClientRequest> {
  const accepted = Promise.withResolvers<void>();
  onAuthenticated = accepted.resolve;
  const request = begin(method, sent, token);
  await accepted.promise;
  return request;
}

/** Returns a value that changes when a write of the app begins to wait for another transaction. */
async function writersWaited(): Promise<bigint> {
  if (app.database === '') {
    const mark = join(app.data, 'catalog.db-waits');
    return (await stat(mark, { bigint: true }).catch(() => null))?.mtimeNs ?? 0n;
  }
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
  `.execute(database.read);
  return BigInt(rows[0]?.count ?? 0);
}

/** Returns all data that requests to these routes may change, except for the last use of tokens. */
async function contentOf({ read }: Engine): Promise<unknown> {
  const tokens = await read
    .selectFrom('token')
    .select(['id', 'user_id', 'label', 'revoked_at'])
    .orderBy('id')
    .execute();
  const tables = [
    ...(['audit', 'user', 'release', 'release_edit', 'job', 'schedule', 'library_file'] as const),
    ...([
      'upload',
      'upload_chunk',
      'stored_file',
      'cover_removal',
      'file_reservation',
      'release_set',
    ] as const),
  ];
  const rows = await Promise.all(
    tables.map(async (table) => {
      const all = await read.selectFrom(table).selectAll().execute();
      return [table, all.map((row) => JSON.stringify(row, bigintsAsText)).sort()];
    }),
  );
  return { tokens, ...Object.fromEntries(rows) };
}

const bigintsAsText = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

/** Returns the names of files of unfinished work, except for uploads that can be resumed. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(join(app.data, 'tmp')).catch(() => []);
  return names.filter((name) => name !== 'uploads');
}

async function answerOf(request: http.ClientRequest): Promise<[number, unknown]> {
  const [response] = (await responses.get(request)) as [http.IncomingMessage];
  return [response.statusCode ?? 0, await readJson(response)];
}
