import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import * as http from 'node:http';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RequestActor } from '../../../../src/core/shared/requests/actor.ts';
import type { Role } from '../../../../src/core/shared/requests/role.ts';
import { accountDocument } from '../../../../src/http/account-api/app.ts';
import type { Engine } from '../../../../src/sql/engine/engine.ts';
import { lossesOfRight } from '../../../contract/fixtures/rights.ts';
import { makeToken } from '../../../support/data/people.ts';
import { testFirstOfEach } from '../../../support/first-of-each.ts';
import { tusClient } from '../../../support/http/tus.ts';
import {
  another,
  app,
  beginUpload,
  byAdmin,
  database,
  form,
  json,
  makeWriter,
  type Person,
  request,
  type Sent,
  serveWritings,
  tus,
  writings,
} from './writings.ts';

serveWritings();

/** Called when the server has accepted the credentials of a request. */
let onAuthenticated = () => {};
beforeAll(() => {
  const { accounts } = app.catalog;
  const authenticate = accounts.authenticate.bind(accounts);
  accounts.authenticate = async (...given) => {
    const credential = await authenticate(...given);
    onAuthenticated();
    return credential;
  };
});

/** Routes without a request body. No right can be lost while a body arrives. */
const withoutBody = [
  ...Object.keys(writings).filter((key) => key.startsWith('DELETE ')),
  'POST /api/jobs/{job_id}/stop',
  'POST /api/uploads',
];

/** Requests that write nothing, or that need no right beyond the credentials that they contain. */
const withoutRight = ['POST /api/auth/login', 'POST /api/auth/logout', 'POST /api/sets/preview'];

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
    take: ({ token }) => request('POST', '/api/auth/logout', { token }),
  },
  {
    loss: 'without tokens, after a new password',
    status: 401,
    take: ({ id }) =>
      byAdmin('PATCH', `/api/users/${id}`, { password: 'other', revoke_tokens: true }),
  },
];

describe('the account API', () => {
  test('has exactly the writing routes that this test covers', () => {
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

    testFirstOfEach(ofRole)('refuses a user who is $loss while the body arrives', async (lost) => {
      const person = await makeWriter(role);
      const sent = await prepare(person);
      if (sent.body === undefined) return expect(withoutBody).toContain(key);
      const begun = await beginAccepted(method, sent, person.token);
      begun.write(sent.body.subarray(0, -1));
      expect((await lost.take(person)).status).toBe(200);
      const before = await contentOf(database);
      begun.end(sent.body.subarray(-1));
      expect(await responseOf(begun)).toEqual(refusal(lost.status));
      expect(await contentOf(database)).toEqual(before);
      expect(await leftovers()).toEqual([]);
    });

    testFirstOfEach(lossesOfRight.filter(({ kind }) => kind !== 'forbidden' || role !== 'user'))(
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
        const begun = begin(method, sent, person.token);
        begun.end(sent.body);
        const response = responseOf(begun);
        while ((await writersWaited()) === waitedBefore) await pause(5);
        commit();
        await holding;
        const before = await contentOf(database);
        expect(await response).toEqual(refusal(kind === 'forbidden' ? 403 : 401));
        expect(await contentOf(database)).toEqual(before);
        expect(await leftovers()).toEqual([]);
      },
    );
  });

  test('accepts an upload of a user who was promoted while the body arrived', async () => {
    const person = await makeWriter('editor');
    const sent = form('/api/store/upload', 'promoted.zip');
    const begun = await beginAccepted('POST', sent, person.token);
    begun.write((sent.body as Buffer).subarray(0, -1));
    await byAdmin('PATCH', `/api/users/${person.id}`, { role: 'admin' });
    begun.end((sent.body as Buffer).subarray(-1));
    expect(await responseOf(begun)).toMatchObject([200, { ok: true }]);
  });

  test("refuses a job on another user's upload if its admin is demoted meanwhile", async () => {
    const tus = tusClient(request, (await makeWriter('editor')).token);
    const uploadUrl = await tus.createUpload(1, {
      filename: `${another('dat')}.dat`,
      system: 'dats',
    });
    await tus.send(uploadUrl, 0, Buffer.from('x'));
    const { id } = await tus.waitUntilChecked(uploadUrl);
    const person = await makeWriter('admin');
    const sent = json('/api/jobs', { kind: 'import-preview', options: { uploads: [Number(id)] } });
    const begun = await beginAccepted('POST', sent, person.token);
    begun.write((sent.body as Buffer).subarray(0, -1));
    await byAdmin('PATCH', `/api/users/${person.id}`, { role: 'editor' });
    begun.end((sent.body as Buffer).subarray(-1));
    expect(await responseOf(begun)).toEqual(refusal(403));
    expect(
      await app.catalog.jobs.list(
        { state: '', kind: 'import-preview' },
        { limit: 1, before: null },
      ),
    ).toEqual([]);
  });

  test('lets an upload continue with another token after the first was revoked', async () => {
    const person = await makeWriter('editor');
    const uploadUrl = await beginUpload(person);
    const other = await makeToken(app, await app.catalog.accounts.getUser(person.id));
    await byAdmin('DELETE', `/api/users/${person.id}/tokens/${person.tokenId}`);
    const headers = {
      ...tus,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
    };
    const body = Buffer.alloc(10_000, 'x');
    const chunk = await request('PATCH', uploadUrl, { token: other, headers, body });
    expect(chunk.status).toBe(204);
  });
});

const refusal = (status: 401 | 403) => [
  status,
  { detail: status === 401 ? 'not authenticated' : 'forbidden' },
];

const actorOf = ({ id, username, role, tokenId }: Person): RequestActor => ({
  kind: 'user',
  ...{ userId: id, username, address: '127.0.0.1' },
  right: { role, tokenId },
});

/** The response to each request of `begin`. */
const responses = new WeakMap<http.ClientRequest, Promise<[http.IncomingMessage]>>();

function begin(method: string, { path, headers, body }: Sent, token: string): http.ClientRequest {
  const { hostname, port } = new URL(app.url);
  const length = body === undefined ? {} : { 'content-length': body.length };
  const begun = http.request({
    ...{ hostname, port, method, path, agent: false },
    headers: { ...headers, ...length, authorization: `Bearer ${token}` },
  });
  begun.flushHeaders();
  // The server may refuse a request before its body has arrived, so listen from the beginning.
  const response = once(begun, 'response') as Promise<[http.IncomingMessage]>;
  response.catch(() => {}); // `responseOf` reports a failure
  begun.on('error', () => {}); // the rest of a refused body may not be sent
  responses.set(begun, response);
  return begun;
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
  const begun = begin(method, sent, token);
  await accepted.promise;
  return begun;
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

async function responseOf(begun: http.ClientRequest): Promise<[number, unknown]> {
  const [response] = (await responses.get(begun)) as [http.IncomingMessage];
  return [response.statusCode ?? 0, await readJson(response)];
}
