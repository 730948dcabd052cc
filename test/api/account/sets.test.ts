import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

type Person = Awaited<ReturnType<typeof makePerson>>;

const psp = 'Sony - PSP';
const sha1 = createHash('sha1').update('content').digest('hex');
const owned = [{ name: 'x.iso', size: '7', sha1 }];
const ofPsp = { field: 'platform', is: psp };

let app: TestApp;
let request: Requester;
let root: string;
let ann: Person;
let bob: Person;
let editor: Person;
let made = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  [ann, bob, editor] = [
    await makePerson(app, 'user'),
    await makePerson(app, 'user'),
    await makePerson(app, 'editor'),
  ];
  const lumines = { name: 'Lumines (Japan)', region: 'Japan', roms: owned };
  await importGames(app, [lumines, { name: 'Ridge Racer (Europe)', region: 'Europe' }], psp);
  await importGames(app, [{ name: 'Tekken 3 (Europe)', region: 'Europe' }], 'Sony - PlayStation');
  await writeFile(join(root, 'x.iso'), 'content');
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const get = (path: string, { token }: { token: string } = ann) => request('GET', path, { token });
const another = () => {
  made += 1;
  return `Set ${made}`;
};
const post = (json: object, { token }: { token: string } = ann) =>
  request('POST', '/api/sets', { token, json });
const patch = (id: number, json: object, { token }: { token: string } = ann) =>
  request('PATCH', `/api/sets/${id}`, { token, json });
const remove = (id: number, { token }: { token: string } = ann) =>
  request('DELETE', `/api/sets/${id}`, { token });
/** Saves a set and returns its id. */
async function saved(rule: object, more: object = {}, person = ann): Promise<number> {
  const { status, json } = await post({ name: another(), rule, ...more }, person);
  expect([status, json.detail]).toEqual([200, undefined]);
  return json.id as number;
}
const names = async (path: string, person = ann) =>
  ((await get(path, person)).json.items as { name: string }[]).map(({ name }) => name);

describe('a set', () => {
  test('is saved, read, changed and deleted by its owner', async () => {
    const rule = { all: [ofPsp, { not: { field: 'region', is: 'Japan' } }] };
    const saving = await post({ name: ' My PSP ', rule, shared: false, prefer: null });
    const set = {
      name: 'My PSP',
      owner: ann.username,
      shared: false,
      rule,
      prefer: null,
      count: 1,
    };
    expect([saving.status, saving.json]).toEqual([200, { id: expect.any(Number), ...set }]);
    expect(saving.headers['cache-control']).toBe('no-store');
    const id = saving.json.id as number;
    expect((await get(`/api/sets/${id}`)).json).toEqual({ id, ...set });
    const change = { name: 'PSP', rule: ofPsp };
    const changed = await patch(id, change);
    expect(changed.json).toEqual({ id, ...set, ...change, count: 2 });
    expect((await patch(id, {})).json).toEqual(changed.json);
    expect((await patch(id, { name: null, shared: null })).json).toEqual(changed.json);
    expect((await remove(id)).json).toEqual({ ok: true });
    expect((await get(`/api/sets/${id}`)).json).toEqual({ detail: 'not found' });
    expect((await remove(id)).status).toBe(404);
  });

  test('has a preference, with a default for each key that is missing', async () => {
    const prefer = { regions: ['Europe', 'World'], avoid: ['Demo'], among: 'library' };
    const stored = { one_per_game: true, languages: [], revision: 'newest', ...prefer };
    const id = await saved(ofPsp, { prefer });
    expect((await get(`/api/sets/${id}`)).json.prefer).toEqual(stored);
    expect((await patch(id, { rule: { all: [] } })).json.prefer).toEqual(stored);
    const oldest = { one_per_game: false, revision: 'oldest' };
    expect((await patch(id, { prefer: oldest })).json.prefer).toMatchObject(oldest);
    expect((await patch(id, { prefer: null })).json.prefer).toBeNull();
    await remove(id);
  });

  test('is listed by name for its owner, and for all users if it is shared', async () => {
    const own = await saved(ofPsp, { name: 'B own' });
    const shared = await saved({ all: [] }, { name: 'A shared', shared: true }, editor);
    const listed = async (person: Person, query = '') =>
      (await get(`/api/sets${query}`, person)).json.items as { id: number; count: number }[];
    const both = [shared, own];
    expect((await listed(ann)).map(({ id }) => id).filter((id) => both.includes(id))).toEqual(both);
    expect((await listed(bob)).map(({ id }) => id)).toContain(shared);
    expect((await listed(bob)).map(({ id }) => id)).not.toContain(own);
    expect((await listed(ann)).find(({ id }) => id === shared)?.count).toBe(3);
    const all = await listed(ann);
    expect(await listed(ann, '?limit=1&offset=1')).toEqual(all.slice(1, 2));
    await Promise.all([remove(own), remove(shared, editor)]);
  });

  test('is hidden from other users unless shared, and then changed by editors only', async () => {
    const own = await saved(ofPsp);
    for (const response of [
      await get(`/api/sets/${own}`, bob),
      await get(`/api/sets/${own}`, { token: app.adminToken }),
      await patch(own, { name: 'x' }, bob),
      await remove(own, editor),
      await get(`/api/sets/${own}/missing.csv`, bob),
      await get(`/api/releases?set=${own}`, bob),
    ]) {
      expect([response.status, response.json]).toEqual([404, { detail: 'not found' }]);
    }
    expect((await post({ name: another(), rule: ofPsp, shared: true })).status).toBe(403);
    expect((await patch(own, { shared: true })).status).toBe(403);
    const shared = await saved(ofPsp, { shared: true }, editor);
    expect((await get(`/api/sets/${shared}`, bob)).json).toMatchObject({ owner: editor.username });
    expect((await patch(shared, { rule: { all: [] } }, bob)).status).toBe(403);
    expect((await remove(shared, bob)).status).toBe(403);
    const second = await makePerson(app, 'editor');
    expect((await patch(shared, { rule: { all: [] } }, second)).json.count).toBe(3);
    expect((await patch(shared, { shared: false }, second)).status).toBe(403);
    expect((await patch(shared, { shared: false }, editor)).json.shared).toBe(false);
    expect((await get(`/api/sets/${shared}`, second)).status).toBe(404);
  });

  test('needs a name that no other set of its owner has', async () => {
    const name = another();
    const id = await saved(ofPsp, { name });
    const exists = [409, { detail: 'set already exists' }];
    const again = await post({ name, rule: ofPsp });
    expect([again.status, again.json]).toEqual(exists);
    const other = await saved(ofPsp);
    const renamed = await patch(other, { name });
    expect([renamed.status, renamed.json]).toEqual(exists);
    expect((await patch(id, { name })).status).toBe(200);
    await saved(ofPsp, { name }, bob);
    for (const [wrong, problem] of [
      [undefined, 'name: must not be empty'],
      [' ', 'name: must not be empty'],
      ['12', 'name: must not be digits alone'],
      ['a/b', 'name: must not contain a slash'],
      ['x'.repeat(101), 'name: must be at most 100 characters long'],
      ['a\u202eb', 'name: must not contain control, format or bidirectional characters'],
    ]) {
      const { status, json } = await post({ name: wrong, rule: ofPsp });
      expect([status, json.detail]).toEqual([422, problem]);
    }
  });

  test('is refused with the invalid part of its rule or preference in the message', async () => {
    const id = await saved(ofPsp);
    for (const [json, problem] of [
      [{}, 'rule: must be an object'],
      [{ rule: null }, 'rule: must be an object'],
      [
        { rule: { any: [ofPsp, { field: 'colour', is: 'x' }] } },
        'rule.any[1]: there is no field "colour"',
      ],
      [{ rule: ofPsp, prefer: { best: 1 } }, 'prefer: there is no key "best"'],
      [{ rule: { field: 'set', is: 99_999 } }, 'rule: there is no set 99999'],
    ] as const) {
      const { status, json: response } = await post({ name: another(), ...json });
      expect([status, response.detail]).toEqual([422, problem]);
    }
    expect((await post({ name: 7, rule: ofPsp })).json.detail).toMatch(/^name: /);
    expect((await patch(id, { rule: 5 })).json.detail).toBe('rule: must be an object');
    const wrong = 'prefer: must be an object or null';
    expect((await patch(id, { prefer: 1 })).json.detail).toBe(wrong);
    expect((await patch(99_999, { rule: 5 })).status).toBe(404);
  });

  test('can refer to other sets that its viewers see, but not to itself', async () => {
    const base = await saved({ field: 'region', is: 'Europe' });
    const id = await saved({ all: [ofPsp, { field: 'set', is: base }] });
    expect((await get(`/api/sets/${id}`)).json.count).toBe(1);
    expect(await names(`/api/releases?set=${id}`)).toEqual(['Ridge Racer (Europe)']);
    await patch(base, { rule: { all: [] } });
    expect((await get(`/api/sets/${id}`)).json.count).toBe(2);
    const circle = await patch(base, { rule: { any: [{ field: 'set', in: [id] }] } });
    expect([circle.status, circle.json.detail]).toEqual([409, 'the set contains itself']);
    const hidden = await post({ name: another(), rule: { field: 'set', is: base } }, bob);
    expect(hidden.json.detail).toBe(`rule: there is no set ${base}`);
    const own = await saved(ofPsp, {}, editor);
    const rule = { all: [{ field: 'set', is: own }] };
    const refused = await post({ name: another(), shared: true, rule }, editor);
    expect(refused.json.detail).toBe('rule.all[0]: a shared set can name shared sets only');
    await remove(base);
    expect((await get(`/api/sets/${id}`)).json.count).toBe(0);
  });
});

describe('a preview of a set', () => {
  const preview = (json: object, { token }: { token: string } = ann, query = '') =>
    request('POST', `/api/sets/preview${query}`, { token, json });

  test('returns the count and the first releases by title, and stores nothing', async () => {
    const before = (await get('/api/sets')).json;
    const { status, json } = await preview({ rule: { not: { field: 'region', is: 'Japan' } } });
    expect([status, json.count]).toEqual([200, 2]);
    const list = await get('/api/releases?region=Europe&order=title');
    expect(json.items).toEqual(list.json.items);
    const more = await preview({ rule: ofPsp, prefer: {} }, ann, '?include=platform,cover,owned');
    expect(more.json.items).toMatchObject([
      { name: 'Lumines (Japan)', platform: psp, cover_tag: null, owned: 'verified' },
      { name: 'Ridge Racer (Europe)', owned: null },
    ]);
    expect((await get('/api/sets')).json).toEqual(before);
  });

  test('is refused with an invalid rule or preference, or a hidden set', async () => {
    for (const [json, problem] of [
      [{}, 'rule: must be an object'],
      [{ rule: ofPsp, prefer: { regions: ['x', ''] } }, 'prefer.regions[1]: must not be empty'],
      [{ rule: { field: 'set', is: 99_999 } }, 'rule: there is no set 99999'],
    ] as const) {
      const { status, json: response } = await preview(json);
      expect([status, response.detail]).toEqual([422, problem]);
    }
    expect((await preview({ rule: ofPsp }, ann, '?include=total')).status).toBe(422);
    const hidden = await saved(ofPsp);
    expect((await preview({ rule: { field: 'set', is: hidden } }, bob)).status).toBe(422);
    expect((await preview({ rule: { field: 'set', is: hidden } })).json.count).toBe(2);
  });
});

describe('the filter `set`', () => {
  test('filters releases, facets and letters by id or name of a set', async () => {
    const name = another();
    const id = await saved({ any: [ofPsp, { field: 'search', contains: 'tekken' }] }, { name });
    const all = ['Lumines (Japan)', 'Ridge Racer (Europe)', 'Tekken 3 (Europe)'];
    expect(await names(`/api/releases?set=${id}`)).toEqual(all);
    expect(await names(`/api/releases?set=${encodeURIComponent(name)}`)).toEqual(all);
    expect(await names(`/api/releases?set=${id}&limit=1&offset=1`)).toEqual(all.slice(1, 2));
    expect(await names(`/api/releases?set=${id}&region=Europe`)).toEqual(all.slice(1));
    expect(await names(`/api/releases?set=${id}&library=have`)).toEqual(all.slice(0, 1));
    expect(await names(`/api/releases?set=${id}&order=newest`)).toEqual(all.toReversed());
    const { json } = await get(`/api/releases?set=${id}&include=total&limit=1`);
    expect(json.total).toBe(3);
    expect((await get(`/api/facets?set=${id}`)).json.platforms).toEqual([
      { platform: 'Sony - PSP', releases: 2 },
      { platform: 'Sony - PlayStation', releases: 1 },
    ]);
    expect((await get(`/api/letters?set=${id}`)).json.items).toHaveLength(3);
  });

  test("finds the user's own set before a shared one of the same name", async () => {
    const name = another();
    await saved({ any: [] }, { name, shared: true }, editor);
    expect(await names(`/api/releases?set=${encodeURIComponent(name)}`)).toEqual([]);
    await saved({ all: [] }, { name });
    expect(await names(`/api/releases?set=${encodeURIComponent(name)}`)).toHaveLength(3);
    expect(await names(`/api/releases?set=${encodeURIComponent(name)}`, bob)).toEqual([]);
  });

  test.each(['releases', 'facets', 'letters'])(
    'makes the response of %s private, and requires a user',
    async (list) => {
      const id = await saved(ofPsp);
      const anonymous = await request('GET', `/api/${list}?set=${id}`);
      expect([anonymous.status, anonymous.headers['cache-control']]).toEqual([401, 'private']);
      const own = await get(`/api/${list}?set=${id}`);
      expect([own.status, own.headers['cache-control']]).toEqual([200, 'private']);
      const none = await get(`/api/${list}?set=99999`);
      expect([none.status, none.headers['cache-control']]).toEqual([404, 'private']);
      for (const unknown of ['no%20such', '%00', '0', '-1', '9'.repeat(30), '%F0%9F%8E%AE']) {
        expect((await get(`/api/${list}?set=${unknown}`)).status).toBe(404);
      }
      expect((await request('GET', `/api/${list}?set=`)).status).toBe(200);
      // The response must follow the rule, although the catalogue is unchanged.
      await patch(id, { rule: { any: [] } });
      const { json } = await get(`/api/${list}?set=${id}`);
      expect(Object.values(json).filter(Array.isArray).flat()).toEqual([]);
    },
  );
});

describe('missing.csv and missing.dat', () => {
  test('list the releases of a set that the library lacks', async () => {
    const id = await saved(ofPsp, { name: '"Mine" & more' });
    const csv = await get(`/api/sets/${id}/missing.csv`);
    expect(csv.headers['content-disposition']).toContain('(missing).csv');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toEqual([
      'name,region,serial,size,sha1',
      expect.stringMatching(/^"Ridge Racer \(Europe\)","Europe",/),
    ]);
    const dat = await get(`/api/sets/${id}/missing.dat`);
    expect(dat.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(dat.text).toContain('<name>&quot;Mine&quot; &amp; more</name>');
    expect(dat.text.match(/<game /g)).toHaveLength(1);
    expect((await get('/api/sets/99999/missing.dat')).status).toBe(404);
  });
});

describe('a set with one edition of each game', () => {
  test('has only the preferred editions in its count, lists and missing.csv', async () => {
    const platform = 'Sega - Saturn';
    const editions = ['Nights (Europe)', 'Nights (USA)', 'Nights (USA) (Demo)', 'Panzer (USA)'];
    await importGames(app, editions.map(edition), platform);
    const rule = { field: 'platform', is: platform };
    const prefer = { regions: ['Europe'], avoid: ['Demo'] };
    const chosen = ['Nights (Europe)', 'Panzer (USA)'];
    const id = await saved(rule, { prefer });
    expect((await get(`/api/sets/${id}`)).json.count).toBe(2);
    expect(await names(`/api/releases?set=${id}`)).toEqual(chosen);
    expect((await get(`/api/facets?set=${id}`)).json.platforms).toEqual([
      { platform, releases: 2 },
    ]);
    expect((await get(`/api/letters?set=${id}`)).json.items).toHaveLength(2);
    const csv = await get(`/api/sets/${id}/missing.csv`);
    expect(csv.text.match(/Nights|Panzer/g)).toHaveLength(2);
    const preview = await request('POST', '/api/sets/preview', {
      token: ann.token,
      json: { rule, prefer: { regions: ['USA'] } },
    });
    expect(preview.json.count).toBe(2);
    expect(preview.json.items).toMatchObject([{ name: 'Nights (USA)' }, { name: 'Panzer (USA)' }]);
    expect((await patch(id, { prefer: null })).json.count).toBe(4);
    await patch(id, { prefer: null });
    // A set that names this one means its rule, without its preference.
    await patch(id, { prefer });
    const naming = await saved({ field: 'set', is: id });
    expect((await get(`/api/sets/${naming}`)).json.count).toBe(4);
  });

  test('explains why it contains a release or not', async () => {
    const platform = 'NEC - PC Engine';
    const name = ['Ys (Europe) (Disc 1)', 'Ys (Europe) (Disc 2)', 'Ys (USA)', 'Ys (USA) (Demo)'];
    await importGames(app, [...name, 'Ys (Japan)'].map(edition), platform);
    const { items } = (await get(`/api/releases?platform=${encodeURIComponent(platform)}`))
      .json as {
      items: { id: number; name: string }[];
    };
    const idOf = (wanted: string) => items.find((item) => item.name === wanted)?.id ?? 0;
    const [disc1, disc2, usa, demo] = name.map(idOf);
    const japan = idOf('Ys (Japan)');
    const rule = { all: [{ field: 'platform', is: platform }, { not: ofIds([japan]) }] };
    const id = await saved(rule, { prefer: { avoid: ['Demo'], regions: ['Europe'] } });
    const why = async (release: unknown, person = ann) =>
      (await get(`/api/sets/${id}/explain/${release}`, person)).json;
    const europe = { name: 'Ys (Europe)', release_ids: [disc1, disc2], chosen: true };
    const editions = [
      { ...europe, regions: ['Europe'], languages: [], revision: '', tags: [], rejected_by: null },
      { name: 'Ys (USA)', release_ids: [usa], chosen: false, rejected_by: 'region' },
      { name: 'Ys (USA) (Demo)', tags: ['Demo'], chosen: false, rejected_by: 'avoid' },
    ];
    const group = { editions, not_selected: [japan] };
    const selected = { selected: true, ...group };
    expect(await why(disc2)).toMatchObject({ in_set: true, rejected_by: null, ...selected });
    expect(await why(usa)).toMatchObject({ in_set: false, rejected_by: 'region', ...selected });
    expect(await why(demo)).toMatchObject({ in_set: false, rejected_by: 'avoid', ...selected });
    const outside = { in_set: false, selected: false, rejected_by: null, ...group };
    expect(await why(japan)).toMatchObject(outside);
    await patch(id, { prefer: { among: 'library', one_per_game: false } });
    expect(await why(usa)).toMatchObject({ in_set: false, rejected_by: 'library' });
    await patch(id, { prefer: null });
    expect(await why(demo)).toMatchObject({ in_set: true, rejected_by: null });
    expect([await why(999_999), await why(usa, bob)]).toEqual([
      { detail: 'not found' },
      { detail: 'not found' },
    ]);
  });
});

const ofIds = (ids: readonly number[]) => ({ field: 'release_ids', in: ids });
const edition = (name: string) => ({ name, region: name.includes('Europe') ? 'Europe' : 'USA' });
