import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  ({ token } = await makePerson(app, 'editor'));
  const names = ['Amber (Europe)', 'Amber (USA)', 'Basalt (USA)', 'Cobalt (Japan)'];
  await importGames(
    app,
    names.map((name) => ({ name, region: '' })),
    'Sega - Saturn',
  );
});
afterAll(() => app.close());

const get = async (path: string) => (await request('GET', path, { token })).json;
const names = async (path: string) =>
  ((await get(path)).items as { name: string }[]).map(({ name }) => name);

describe('a set with a rule on covers', () => {
  test('changes count, lists, missing.csv and explanations when covers are uploaded', async () => {
    const { items } = (await get('/api/releases')) as { items: { id: number; name: string }[] };
    const idOf = (wanted: string) => items.find(({ name }) => name === wanted)?.id ?? 0;
    const uploadCover = async (name: string) => {
      const form = { bytes: `cover of ${name}`, filename: 'a.png' };
      expect((await request('POST', `/api/cover/${idOf(name)}`, { token, form })).status).toBe(200);
    };
    const save = async (json: object) =>
      (await request('POST', '/api/sets', { token, json })).json.id as number;
    const covered = { field: 'cover', is: 'have' };
    const having = await save({ name: 'With', rule: covered });
    const lacking = await save({ name: 'Without', rule: { not: covered } });
    const chosen = await save({ name: 'Chosen', rule: covered, prefer: { regions: ['Europe'] } });
    const within = await save({ name: 'Within', rule: { field: 'set', is: having } });
    const counts = async () => {
      const each = [having, lacking, chosen, within].map(async (id) => {
        const { count } = await get(`/api/sets/${id}`);
        return count;
      });
      return Promise.all(each);
    };
    expect(await counts()).toEqual([0, 4, 0, 0]);
    await uploadCover('Basalt (USA)');
    await uploadCover('Amber (USA)');
    expect(await counts()).toEqual([2, 2, 2, 2]);
    expect(await names(`/api/releases?set=${chosen}`)).toEqual(['Amber (USA)', 'Basalt (USA)']);
    await uploadCover('Amber (Europe)');
    expect(await counts()).toEqual([3, 1, 2, 3]);
    expect(await names(`/api/releases?set=${chosen}`)).toEqual(['Amber (Europe)', 'Basalt (USA)']);
    expect(await names(`/api/releases?set=${lacking}`)).toEqual(['Cobalt (Japan)']);
    expect(await names(`/api/releases?set=${having}&cover=missing`)).toEqual([]);
    const facets = await get(`/api/facets?set=${having}&include=cover`);
    expect(facets.covers).toEqual({ have: 3, missing: 0 });
    expect((await get(`/api/letters?set=${having}`)).items).toHaveLength(2);
    const csv = await request('GET', `/api/sets/${having}/missing.csv`, { token });
    expect(csv.text.match(/Amber|Basalt|Cobalt/g)).toEqual(['Amber', 'Amber', 'Basalt']);
    const preview = await request('POST', '/api/sets/preview', { token, json: { rule: covered } });
    expect(preview.json).toMatchObject({ count: 3 });
    const why = await get(`/api/sets/${chosen}/explain/${idOf('Amber (USA)')}`);
    expect(why).toMatchObject({ in_set: false, selected: true, rejected_by: 'region' });
    const lone = await get(`/api/sets/${having}/explain/${idOf('Cobalt (Japan)')}`);
    expect(lone).toMatchObject({ in_set: false, selected: false });
  });
});
