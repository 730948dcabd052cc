import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let root: string;
let user: string;
let editor: string;
let admin: string;
const ids = new Map<string, number>();
const id = (name: string) => ids.get(name) ?? 0;
const discs = ['Foo (USA) (Disc 1) (Demo)', 'Foo (USA) (Disc 2) (Demo)'];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-groups-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  user = (await makePerson(app, 'user')).token;
  editor = (await makePerson(app, 'editor')).token;
  admin = (await makePerson(app, 'admin')).token;
  const sha1 = createHash('sha1').update('content').digest('hex');
  const found = { name: 'Foo (Europe) (En,Fr) (Rev 1)', roms: [{ name: 'f', size: '7', sha1 }] };
  await importGames(app, [found, ...discs, 'Bar (USA)', 'Bar (Japan)']);
  await importGames(app, ['Foo (USA)'], 'Other - Console');
  await writeFile(join(root, 'foo.bin'), 'content');
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
  const { items } = (await request('GET', '/api/releases')).json;
  for (const item of items as { id: number; name: string }[]) ids.set(item.name, item.id);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const release = (name: string, disc: number | null = null, edited = false) => ({
  id: id(name),
  name,
  serial: '',
  disc,
  edited,
});
const demo = () => ({
  name: 'Foo (USA) (Demo)',
  regions: ['USA'],
  languages: [],
  revision: '',
  tags: ['Demo'],
  releases: discs.map((name, place) => release(name, place + 1)),
});
const rev1 = () => ({
  name: 'Foo (Europe) (En,Fr) (Rev 1)',
  regions: ['Europe'],
  languages: ['En', 'Fr'],
  revision: 'Rev 1',
  tags: [],
  releases: [release('Foo (Europe) (En,Fr) (Rev 1)')],
});

describe('the API of groups', () => {
  test('lists the editions of a game with their discs', async () => {
    for (const name of [...discs, 'Foo (Europe) (En,Fr) (Rev 1)']) {
      const { status, json, headers } = await request('GET', `/api/releases/${id(name)}/group`);
      expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
      expect(json).toEqual({
        id: Math.min(...discs.map(id), id('Foo (Europe) (En,Fr) (Rev 1)')),
        title: 'Foo',
        platform: expect.any(String),
        editions: [rev1(), demo()],
      });
    }
  });

  test('shows users which releases of a group the library has', async () => {
    const path = `/api/releases/${id(discs[0] ?? '')}/group`;
    const { json } = await request('GET', path, { token: user });
    const editions = json.editions as { releases: { owned: string | null }[] }[];
    const owned = editions.map(({ releases }) => releases.map((each) => each.owned));
    expect(owned).toEqual([['verified'], [null, null]]);
  });

  test('joins and splits groups for editors alone, and records both in the audit', async () => {
    const group = id('Bar (Japan)');
    const body = { json: { release_ids: discs.map(id) }, token: editor };
    expect(
      (await request('POST', `/api/groups/${group}/join`, { ...body, token: user })).status,
    ).toBe(403);
    const joined = await request('POST', `/api/groups/${group}/join`, body);
    expect([joined.status, (joined.json.editions as object[]).length]).toEqual([200, 3]);
    expect(joined.json.id).toBe(Math.min(...discs.map(id), id('Bar (USA)'), id('Bar (Japan)')));
    const foo = (await request('GET', `/api/releases/${id('Foo (Europe) (En,Fr) (Rev 1)')}/group`))
      .json;
    expect(foo.editions).toEqual([rev1()]);
    const split = await request('POST', `/api/groups/${group}/split`, body);
    expect(split.json.editions).toMatchObject([
      { ...demo(), releases: discs.map((name, i) => release(name, i + 1, true)) },
    ]);
    const back = id('Foo (Europe) (En,Fr) (Rev 1)');
    const again = await request('POST', `/api/groups/${back}/join`, body);
    expect(again.json.editions).toMatchObject([rev1(), demo()]);
    const { items } = (await request('GET', '/api/audit?limit=3', { token: admin })).json;
    expect(items).toMatchObject([
      { action: 'group.join', detail: { releases: discs.map(id) } },
      { action: 'group.split', target: `group/${joined.json.id}` },
      { action: 'group.join' },
    ]);
  });

  test('refuses releases of another platform or group, and invalid ids', async () => {
    const group = id('Bar (Japan)');
    const other = id('Foo (USA)');
    const regroup = async (way: string, json: unknown, to = group) => {
      const response = await request('POST', `/api/groups/${to}/${way}`, { json, token: editor });
      return [response.status, response.json.detail];
    };
    expect(await regroup('join', { release_ids: [other] })).toEqual([
      422,
      `release_ids: ${other} is not a release of this platform`,
    ]);
    expect(await regroup('split', { release_ids: [other] })).toEqual([
      422,
      `release_ids: ${other} is not a release of this group`,
    ]);
    expect(await regroup('split', { release_ids: [id('Bar (USA)'), group] })).toEqual([
      422,
      'release_ids: at least one release must stay in the group',
    ]);
    for (const way of ['join', 'split']) {
      expect(await regroup(way, { release_ids: [1] }, 999_999)).toEqual([404, 'not found']);
      for (const wrong of [undefined, 'x', [], ['x'], [1.5], null, Array(1_001).fill(1)]) {
        expect((await regroup(way, { release_ids: wrong }))[0]).toBe(422);
      }
    }
  });
});
