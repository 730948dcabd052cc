import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '../../../../src/core/shared/requests/role.ts';
import type { Engine } from '../../../../src/sql/engine/engine.ts';
import { openDatabaseOf } from '../../../support/data/database-of.ts';
import { importGames } from '../../../support/data/dats.ts';
import { makeUser } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  formBody,
  formPart,
  formType,
  type Requester,
} from '../../../support/http/requester.ts';
import { metadataOf } from '../../../support/http/tus.ts';

/** A user who sends a request, with a separate token for the request. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly tokenId: number;
  readonly token: string;
}

/** A request that writes, without its credentials. */
export interface Sent {
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: Buffer;
}

export interface Writing {
  /** Lowest role that may send the request. */
  readonly role: Role;
  /** Creates the objects that the request needs. Returns the request. */
  prepare(person: Person): Promise<Sent>;
}

export const json = (path: string, value: unknown): Sent => ({
  path,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
export const form = (path: string, filename: string): Sent => ({
  path,
  headers: { 'content-type': formType },
  body: formBody(formPart({ bytes: 'x'.repeat(10_000), filename })),
});

export let app: TestApp;
export let request: Requester;
export let database: Engine;
let root: string;
let made = 0;
export const another = (what: string) => {
  made += 1;
  return `${what}-${made}`;
};
export const tus = { 'tus-resumable': '1.0.0' };

/** Requests to each route that writes. The keys are method and path as in the OpenAPI document. */
export const writings: Readonly<Record<string, Writing>> = {
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
  'POST /api/library/match': {
    role: 'editor',
    prepare: async () => {
      await write(json('/api/library/1/match', { release_id: null }), 'POST');
      return json('/api/library/match', { files: [{ file_id: 1, release_id: 1 }] });
    },
  },
  'POST /api/groups/{group_id}/join': {
    role: 'editor',
    prepare: async () => json('/api/groups/1/join', { release_ids: [2] }),
  },
  'POST /api/groups/{group_id}/split': {
    role: 'editor',
    prepare: async () => {
      await write(json('/api/groups/1/join', { release_ids: [2] }));
      return json('/api/groups/1/split', { release_ids: [2] });
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
  'POST /api/devices': {
    role: 'user',
    prepare: async (person) => json('/api/devices', await newDevice(person)),
  },
  'DELETE /api/devices/{device_id}': {
    role: 'user',
    prepare: async (person) => ({ path: `/api/devices/${await saveDevice(person)}` }),
  },
  'DELETE /api/users/{user_id}/devices/{device_id}': {
    role: 'admin',
    prepare: async (person) => ({
      path: `/api/users/${person.id}/devices/${await saveDevice(person)}`,
    }),
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

export const byAdmin = (method: string, path: string, value?: unknown) =>
  request(method, path, { token: app.adminToken, ...(value !== undefined && { json: value }) });

const nameless = () => metadataOf({ filename: `${another('archive')}.zip`, system: 'games' });

export async function beginUpload({ token }: Person): Promise<string> {
  const headers = { ...tus, 'upload-length': 20_000, 'upload-metadata': nameless() };
  const { headers: given } = await request('POST', '/api/uploads', { token, headers });
  return given.location ?? '';
}

export async function makeWriter(role: Role): Promise<Person> {
  const { id, username } = await makeUser(app, role);
  const user = await app.catalog.accounts.getUser(id);
  const { id: tokenId, value } = await app.catalog.accounts.issueToken(user, 'a', 1, {
    kind: 'system',
  });
  return { id, username, role, tokenId, token: value };
}

/** Saves a set of a user. Returns its id. */
async function saveSet({ token }: Person): Promise<number> {
  const set = { name: another('set'), rule: { all: [] } };
  return (await request('POST', '/api/sets', { token, json: set })).json.id as number;
}

const newDevice = async (person: Person) => ({
  name: another('device'),
  set_id: await saveSet(person),
  profile: 'es-de',
});

/** Saves a device of a user. Returns its id. */
async function saveDevice(person: Person): Promise<number> {
  const sent = { token: person.token, json: await newDevice(person) };
  return ((await request('POST', '/api/devices', sent)).json.device as { id: number }).id;
}

/** Sends a request as the admin to prepare a case. The request must succeed. */
async function write({ path, headers = {}, body }: Sent, method = 'POST'): Promise<void> {
  const { status } = await request(method, path, {
    token: app.adminToken,
    headers,
    ...(body && { body }),
  });
  if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
}

/** Starts an app with a release and a library file before the tests. */
export function serveWritings(): void {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
    await writeFile(join(root, 'unknown.bin'), 'who');
    app = await startTestApp({ 'games-root': root });
    request = createRequester(app.url);
    database = await openDatabaseOf(app);
    await importGames(app, ['One', 'Two']);
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
}
