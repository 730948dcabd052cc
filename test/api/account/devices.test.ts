import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabaseOf } from '../../support/data/database-of.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

type Person = Awaited<ReturnType<typeof makePerson>>;
interface Device {
  readonly id: number;
  readonly name: string;
  readonly expires_at: string | null;
}

let app: TestApp;
let request: Requester;
let ann: Person;
let bob: Person;
let setId: number;

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  [ann, bob] = [await makePerson(app, 'user'), await makePerson(app, 'user')];
  const set = { name: 'Mine', rule: { all: [] } };
  setId = (await request('POST', '/api/sets', { token: ann.token, json: set })).json.id as number;
});
afterAll(() => app.close());

const connect = (json: object, { token } = ann) =>
  request('POST', '/api/devices', { token, json: { profile: 'es-de', set_id: setId, ...json } });
const list = async ({ token } = ann, path = '/api/devices') =>
  (await request('GET', path, { token })).json.items as Device[];
const remove = (path: string, { token }: { token: string } = ann) =>
  request('DELETE', path, { token });

describe('devices', () => {
  test('are created with a path that is returned only once, listed and revoked', async () => {
    const { status, json, headers } = await connect({ name: ' My Vita ', expires_in_days: 1 });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const device = json.device as Device;
    expect(device).toEqual({
      ...{ id: expect.any(Number), name: 'My Vita', set: { id: setId, name: 'Mine' } },
      ...{ profile: 'es-de', created_at: expect.stringMatching(/Z$/) },
      ...{ expires_at: expect.stringMatching(/Z$/), last_used_at: null },
      ...{ last_file: null, last_file_at: null },
    });
    const [, secret = ''] = /^\/play\/([\w-]{43})\/es-de\/$/.exec(String(json.path)) ?? [];
    expect(secret).not.toBe('');
    expect(await list()).toEqual([device]);
    const database = await openDatabaseOf(app);
    const [row] = await database.read.selectFrom('device').select('hash').execute();
    await database.close();
    expect(row?.hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect((await remove(`/api/devices/${device.id}`)).json).toEqual({ ok: true });
    expect(await list()).toEqual([]);
    expect((await remove(`/api/devices/${device.id}`)).json).toEqual({ ok: true });
  });

  test('never expire with `expires_in_days` 0, and expire after a year by default', async () => {
    const forever = (await connect({ name: 'a', expires_in_days: 0 })).json.device as Device;
    const usual = (await connect({ name: 'b' })).json.device as Device;
    expect(forever.expires_at).toBeNull();
    const days = (Date.parse(usual.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
  });

  test('are refused with an invalid name, set, profile or lifetime', async () => {
    const detail = async (json: object) => {
      const response = await connect(json);
      return [response.status, response.json.detail];
    };
    expect(await detail({ name: ' ' })).toEqual([422, 'name: must not be empty']);
    expect((await detail({ name: 'x'.repeat(201) }))[0]).toBe(422);
    expect((await detail({ name: 'a\u202eb' }))[0]).toBe(422);
    expect(await detail({ name: 'a', set_id: null })).toEqual([
      422,
      'set_id: must be the id of a set',
    ]);
    expect(await detail({ name: 'a', set_id: 999_999 })).toEqual([404, 'not found']);
    expect(await detail({ name: 'a', profile: 'none' })).toEqual([404, 'no such profile']);
    expect((await detail({ name: 'a', expires_in_days: -1 }))[0]).toBe(422);
    expect((await connect({ name: 'a' }, bob)).status).toBe(404);
  });

  test('are listed and revoked by their owner or an admin, and by no other user', async () => {
    const { id } = (await connect({ name: 'Hers' })).json.device as Device;
    const has = async (items: Promise<Device[]>) => (await items).some((each) => each.id === id);
    expect(await has(list(bob))).toBe(false);
    await remove(`/api/devices/${id}`, bob);
    expect(await has(list())).toBe(true);
    const admin = { token: app.adminToken };
    const path = `/api/users/${ann.id}/devices`;
    expect(await has(list(admin as Person, path))).toBe(true);
    await remove(`/api/users/${bob.id}/devices/${id}`, admin);
    expect(await has(list())).toBe(true);
    await remove(`${path}/${id}`, admin);
    expect(await has(list())).toBe(false);
  });
});
