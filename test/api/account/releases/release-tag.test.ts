import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let editor: string;
let last = 0;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];
const get = (id: number, include = '', headers = {}) =>
  request('GET', `/api/releases/${id}?include=${include}`, { headers });
const tagOf = async (id: number, include = '') => (await get(id, include)).headers.etag ?? '';
const patch = (id: number, tag: string | null, json: unknown) =>
  request('PATCH', `/api/releases/${id}`, {
    token: editor,
    json,
    headers: tag === null ? {} : { 'if-match': tag },
  });
const changed = [412, { detail: 'changed meanwhile' }];

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  editor = (await makePerson(app, 'editor')).token;
  await importGames(
    app,
    Array.from({ length: 40 }, (_, index) => `Game ${index}`),
  );
});
afterAll(() => app.close());

/** Returns the id of a release that no other test has used. */
function untouched(): number {
  last += 1;
  return last;
}

describe('the ETag of a release', () => {
  test('is strong, and differs by the included fields', async () => {
    const id = untouched();
    const includes = ['', 'platform', 'sources', 'edits', 'sources,edits', 'platform,region'];
    const tags = await Promise.all(includes.map((include) => tagOf(id, include)));
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(new Set(tags).size).toBe(includes.length);
    expect(await tagOf(id, '%20edits,,sources')).toBe(await tagOf(id, 'sources,edits'));
    expect(await tagOf(id)).toBe(tags[0]);
    expect(await tagOf(untouched())).not.toBe('');
  });

  test('gives 304 without a body to GET and HEAD if the client knows it', async () => {
    const id = untouched();
    const tag = await tagOf(id, 'edits');
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const path = `/api/releases/${id}?include=edits`;
        const response = await request(method, path, { headers: { 'if-none-match': known } });
        expect([response.status, response.text, response.headers.etag]).toEqual([304, '', tag]);
      }
    }
    expect((await get(id, 'sources', { 'if-none-match': tag })).status).toBe(200);
    expect((await get(id, '', { 'if-none-match': tag })).status).toBe(200);
    await patch(id, null, { genre: 'x' });
    expect((await get(id, 'edits', { 'if-none-match': tag })).status).toBe(200);
    const unknown = await request('GET', '/api/releases/999999', {
      headers: { 'if-none-match': '*' },
    });
    expect(statusAndJson(unknown)).toEqual([404, { detail: 'not found' }]);
  });

  test('changes with every edit, and is returned by the edit', async () => {
    const id = untouched();
    const tags = [await tagOf(id)];
    for (const edit of [{ name: 'A' }, { genre: 'B' }, { title: 'C' }, { region: '' }]) {
      const { headers } = await patch(id, null, edit);
      expect(headers.etag).toBe(await tagOf(id));
      tags.push(headers.etag ?? '');
    }
    expect(new Set(tags).size).toBe(5);
  });
});

describe('the parameter `include` of a release', () => {
  test('adds the values of the sources and the edits only if it names them', async () => {
    const id = untouched();
    const { name } = (await get(id)).json;
    await patch(id, null, { name: 'Mine', synopsis: 'Mine' });
    const plain = (await get(id)).json;
    const whole = (await get(id, 'sources,edits')).json;
    const { sources, edits, ...rest } = whole;
    expect(rest).toEqual(plain);
    const row = { name, region: '', serial: '', description: expect.stringMatching(/^d\d+$/) };
    expect(sources).toEqual([
      { id: 1, source: 'Test - Console', ...row, shown: true, gone: false },
    ]);
    const edited_at = expect.stringMatching(/Z$/);
    expect(edits).toEqual([
      { field: 'name', edited_at, imported: name },
      { field: 'synopsis', edited_at, imported: null },
    ]);
    expect((await get(id, 'sources')).json).toEqual({ ...plain, sources });
    expect((await get(id, 'edits,platform')).json).toEqual({
      ...plain,
      edits,
      platform: 'Test - Console',
    });
  });

  test('is refused for an unknown field, before the release is looked up', async () => {
    for (const id of [1, 999_999]) {
      const { status, json } = await get(id, 'edits,everything');
      expect([status, json.detail]).toEqual([422, 'include: there is no field everything']);
    }
  });
});

describe('If-Match of an edit of a release', () => {
  test('accepts the current ETag of any included fields, alone or among other tags', async () => {
    const id = untouched();
    const listed = async () => `"other", ${await tagOf(id, 'sources,edits')}, W/"x"`;
    for (const tag of [() => tagOf(id), () => tagOf(id, 'platform'), listed, async () => '*']) {
      expect(statusAndJson(await patch(id, await tag(), { genre: 'x' }))).toEqual([
        200,
        { ok: true },
      ]);
    }
    const { headers } = await patch(id, await tagOf(id), { genre: 'y' });
    expect((await patch(id, headers.etag ?? '', { genre: 'z' })).status).toBe(200);
  });

  test('refuses another ETag, and writes nothing', async () => {
    const id = untouched();
    const old = await tagOf(id, 'edits');
    await patch(id, null, { genre: 'theirs' });
    const now = await tagOf(id);
    const { text } = await get(id);
    for (const tag of [old, `W/${now}`, '"x"', 'x', now.replaceAll('"', ''), '"', '']) {
      expect(statusAndJson(await patch(id, tag, { genre: 'mine' })), tag).toEqual(changed);
    }
    expect((await get(id)).text).toBe(text);
    expect(await tagOf(id)).toBe(now);
  });

  test('is checked after the path, access and content type, and before the body', async () => {
    const id = untouched();
    const unknown = [404, { detail: 'not found' }];
    for (const tag of ['"x"', '*']) {
      expect(statusAndJson(await patch(999_999, tag, { genre: 1 }))).toEqual(unknown);
    }
    expect(statusAndJson(await patch(id, '"x"', { genre: 1 }))).toEqual(changed);
    const send = (headers: Record<string, string>, token?: string) =>
      request('PATCH', `/api/releases/${id}`, { token, body: '{', headers });
    const json = { 'content-type': 'application/json' };
    expect(statusAndJson(await send({ ...json, 'if-match': '"x"' }, editor))).toEqual(changed);
    const tag = await tagOf(id);
    const invalid = [400, { detail: 'invalid JSON body' }];
    expect(statusAndJson(await send({ ...json, 'if-match': tag }, editor))).toEqual(invalid);
    const text = { 'content-type': 'text/plain', 'if-match': '"x"' };
    expect((await send(text, editor)).status).toBe(415);
    expect((await send({ ...json, 'if-match': '"x"' })).status).toBe(401);
    expect((await patch(id, tag, { genre: 1 })).status).toBe(422);
  });

  test('lets exactly one of many concurrent edits with one ETag through', async () => {
    const id = untouched();
    const tag = await tagOf(id);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => patch(id, tag, { genre: `genre ${index}` })),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(11);
    const index = responses.findIndex(({ status }) => status === 200);
    expect((await get(id)).json.meta).toMatchObject({ genre: `genre ${index}` });
    expect(await tagOf(id)).toBe(winners[0]?.headers.etag);
  });
});

describe('DELETE /releases/{release_id}/edits/{field}', () => {
  const drop = (id: number, field: string, headers = {}, token: string | undefined = editor) =>
    request('DELETE', `/api/releases/${id}/edits/${field}`, { token, headers });
  const ok = [200, { ok: true }];
  const unknown = [404, { detail: 'not found' }];

  test('restores the imported value, and removes the mark of the edit', async () => {
    const id = untouched();
    const { text, json } = await get(id);
    await patch(id, null, { name: 'Mine', title: 'Mine', genre: 'Mine' });
    const old = await tagOf(id);
    for (const field of ['name', 'title', 'genre']) {
      const { edits } = (await get(id, 'edits')).json;
      expect(edits).toContainEqual(expect.objectContaining({ field }));
      const response = await drop(id, field);
      expect(statusAndJson(response)).toEqual(ok);
      expect(response.headers.etag).toBe(await tagOf(id));
    }
    expect((await get(id)).text).toBe(text);
    expect((await get(id, 'edits')).json).toEqual({ ...json, edits: [] });
    expect(statusAndJson(await patch(id, old, { name: 'x' }))).toEqual(changed);
  });

  test('changes nothing for an unedited field, and responds 404 to an unknown one', async () => {
    const id = untouched();
    const tag = await tagOf(id);
    for (const field of ['name', 'title']) expect(statusAndJson(await drop(id, field))).toEqual(ok);
    for (const field of ['franchise', 'id', 'Name', 'system', '__proto__', '%20', 'name%00']) {
      expect(statusAndJson(await drop(id, field)), field).toEqual(unknown);
    }
    expect(await tagOf(id)).toBe(tag);
    expect(statusAndJson(await drop(999_999, 'name'))).toEqual(unknown);
  });

  test('requires an editor, and respects If-Match', async () => {
    const id = untouched();
    await patch(id, null, { genre: 'Mine' });
    const user = (await makePerson(app, 'user')).token;
    expect((await drop(id, 'genre', {}, '')).status).toBe(401);
    expect((await drop(id, 'genre', {}, user)).status).toBe(403);
    expect(statusAndJson(await drop(id, 'genre', { 'if-match': '"x"' }))).toEqual(changed);
    expect(statusAndJson(await drop(999_999, 'genre', { 'if-match': '"x"' }))).toEqual(unknown);
    expect((await get(id)).json.meta).toMatchObject({ genre: 'Mine' });
    expect(statusAndJson(await drop(id, 'genre', { 'if-match': await tagOf(id) }))).toEqual(ok);
    expect((await get(id)).json.meta).toEqual({});
  });
});
