import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scheduledJobKinds } from '../../../../src/core/jobs/job-kind.ts';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';
import { pollOptions } from '../../../support/poll-options.ts';

const GIB = 1024 ** 3;
let app: TestApp;
let request: Requester;
let root: string;
const tokens = { admin: '', editor: '', user: '' };
let editorName = '';
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  tokens.admin = app.adminToken;
  const editor = await makePerson(app, 'editor');
  editorName = editor.username;
  tokens.editor = editor.token;
  tokens.user = (await makePerson(app, 'user')).token;
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const post = (json: unknown, token = tokens.editor) =>
  request('POST', '/api/jobs', { token, json });
const get = (path: string, token = tokens.editor) => request('GET', path, { token });
const start = async (kind: string, options?: object) => {
  const response = await post({ kind, ...(options && { options }) });
  expect(response.status).toBe(200);
  return Number(response.json.id);
};
const ended = (id: number) =>
  vi.waitFor(async () => {
    const { json } = await get(`/api/jobs/${id}`);
    expect(json.state).not.toBe('running');
    return json;
  }, pollOptions);

describe('a job that is started by the API', () => {
  test('runs to its end, and keeps its report', async () => {
    await importGames(app, ['Found']);
    await writeFile(join(root, 'Found.iso'), 'content');
    const id = await start('scan', { hash: false });
    const job = await ended(id);
    expect(job).toEqual({
      id,
      kind: 'scan',
      state: 'done',
      started_by: editorName,
      started_at: expect.any(String),
      finished_at: expect.any(String),
      stopping: false,
      progress: expect.objectContaining({ phase: 'identify', unit: 'bytes' }),
      attempt: 1,
      attempts: 3,
      reason: null,
      options: { hash: false },
      report: expect.objectContaining({ files: 1, looked: 1, hashed: 0, in_sets: 0, damaged: [] }),
    });
    const { items } = (await get('/api/jobs')).json as { items: object[] };
    const { options: _, report: _report, ...listed } = job;
    expect(items[0]).toEqual(listed);
  });

  test('is recorded in the audit as an action of its user', async () => {
    const id = await start('covers-bundle', { name: 'all' });
    expect(await ended(id)).toMatchObject({
      state: 'done',
      report: { file: 'all.zip', covers: 0 },
    });
    const { items } = (await get(`/api/audit?username=${editorName}`, tokens.admin)).json;
    expect(items).toMatchObject([
      { action: 'cover.bundle', kind: 'user', address: '127.0.0.1' },
      { action: 'covers-bundle.start', target: `job/${id}`, detail: { name: 'all' } },
      { action: 'scan.start', detail: { hash: false } },
    ]);
  });

  test('verifies only the requested parts, and reports a manually added file', async () => {
    await mkdir(join(app.data, 'store/games'), { recursive: true });
    await writeFile(join(app.data, 'store/games/own.iso'), 'laid there by hand');
    expect(await ended(await start('verify', { covers: true, rate: 1_000_000 }))).toMatchObject({
      state: 'done',
      report: { findings: [], findings_files: 0 },
    });
    const path = 'store/games/own.iso';
    expect(await ended(await start('verify', { store: true }))).toMatchObject({
      state: 'done',
      report: { findings: [{ part: 'games', kind: 'extra', path }], findings_files: 1 },
    });
  });

  test('reports why it failed', async () => {
    const job = await ended(await start('covers-fetch', { release_ids: [1] }));
    expect(job).toMatchObject({
      state: 'failed',
      report: { error: expect.stringContaining('there is no cover source') },
    });
    const { items } = (await get('/api/jobs?kind=covers-fetch')).json;
    const { error } = job.report as { error: string };
    expect(items).toMatchObject([{ state: 'failed', reason: error }]);
  });

  test('accepts `owned` for covers-fetch, and refuses a value that is not a boolean', async () => {
    const job = await ended(await start('covers-fetch', { owned: true }));
    expect(job).toMatchObject({ state: 'failed', options: { owned: true } });
    expect(statusAndJson(await post({ kind: 'covers-fetch', options: { owned: 'yes' } }))).toEqual([
      422,
      { detail: expect.stringMatching(/^owned: /) },
    ]);
  });

  test('scans roots of earlier scans, too', { tags: ['full'] }, async () => {
    const other = await mkdtemp(join(tmpdir(), 'catalog-other-'));
    await writeFile(join(other, 'Other.iso'), 'other');
    const watch = { signal: new AbortController().signal, onProgress() {} };
    const options = { hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: true };
    const roots = [...app.catalog.libraryRoots, { path: other, system: 'videos' as const }];
    const { files } = await app.catalog.scanner.scan({ ...watch, ...options, roots });
    await writeFile(join(other, 'New.iso'), 'new');
    const report = { files: files + 1, looked: 1 };
    expect(await ended(await start('scan'))).toMatchObject({ report });
    await rm(other, { recursive: true });
  });
});

describe('a long job', () => {
  let id = 0;
  beforeAll(async () => {
    const long = join(root, 'long.iso');
    await writeFile(long, 'long');
    await truncate(long, 500 * GIB); // sparse: takes long to hash, but uses no disk space
    id = await start('scan', {});
  });

  test('reports its progress', async () => {
    await vi.waitFor(async () => {
      expect((await get(`/api/jobs/${id}`)).json.progress).toMatchObject({
        phase: 'hash',
        unit: 'bytes',
        name: join(root, 'long.iso'), // shorter files are hashed before it
        done: expect.toSatisfy((done) => done > 0),
      });
    }, pollOptions);
    const { items } = (await get('/api/jobs?state=running')).json;
    expect(items).toMatchObject([{ id, kind: 'scan', finished_at: null }]);
  });

  test('runs as the only one of its kind, but next to a job of another kind', async () => {
    expect(statusAndJson(await post({ kind: 'scan' }))).toEqual([
      409,
      { detail: 'already running' },
    ]);
    await start('covers-extract');
  });

  test('stops on request, and accepts a repeated request', async () => {
    const stop = () => request('POST', `/api/jobs/${id}/stop`, { token: tokens.editor });
    expect(statusAndJson(await stop())).toEqual([200, { ok: true }]);
    expect(await ended(id)).toMatchObject({ state: 'stopped', stopping: false });
    expect(statusAndJson(await stop())).toEqual([200, { ok: true }]);
    const { items } = (await get('/api/audit?action=scan.stop', tokens.admin)).json;
    expect(items).toMatchObject([{ username: editorName, target: `job/${id}` }]);
  });

  test('is queued again when its server stops, and that server refuses another job', async () => {
    const other = await startTestApp({ 'games-root': root });
    const login = { token: other.adminToken };
    const begun = await createRequester(other.url)('POST', '/api/jobs', {
      ...login,
      json: { kind: 'scan' },
    });
    const job = Number(begun.json.id);
    await expect.poll(async () => (await other.catalog.jobs.get(job)).progress).not.toBeNull();
    await other.catalog.backgroundJobs.close(10_000);
    expect(await other.catalog.jobs.get(job)).toMatchObject({
      state: 'queued',
      attempt: 1,
      attempts: 3,
      report: { error: 'its process was told to end' },
    });
    const late = await createRequester(other.url)('POST', '/api/jobs', {
      ...login,
      json: { kind: 'scan' },
    });
    expect(statusAndJson(late)).toEqual([503, { detail: 'server is stopping' }]);
    await other.close();
  });
});

describe('the API of jobs', () => {
  test('lists jobs by kind and state, in pages', async () => {
    const ids = async (query: string) => {
      const { items } = (await get(`/api/jobs${query}`)).json as { items: { id: number }[] };
      return items.map(({ id }) => id);
    };
    const all = await ids('');
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(await ids(`?limit=2&before=${all[1]}`)).toEqual(all.slice(2, 4));
    expect(await ids('?limit=0')).toEqual(all.slice(0, 1));
    expect(await ids('?kind=covers-bundle&state=done')).toHaveLength(1);
    expect(await ids('?kind=covers-bundle&state=failed')).toEqual([]);
    expect((await get('/api/jobs?state=lost')).status).toBe(422);
    expect((await get('/api/jobs?before=x')).status).toBe(422);
  });

  test.each([
    [{}, 'kind: must be scan or '],
    [{ kind: 'nothing' }, 'kind: '],
    [{ kind: ['scan'], options: 7 }, 'options: must be an object'],
    [{ kind: 'scan', options: [] }, 'options: must be an object'],
    [{ kind: 'scan', options: { hash: 'yes' } }, 'hash: '],
    [{ kind: 'scan', options: { path: '/etc' } }, 'path: no option of scan'],
    [{ kind: 'scan', options: { constructor: 1 } }, 'constructor: '],
    [{ kind: 'covers-bundle' }, 'name: is required'],
    [{ kind: 'covers-bundle', options: { name: '../up' } }, 'name: '],
    [{ kind: 'covers-bundle', options: { name: 'all', system: ' ' } }, 'system: '],
    [{ kind: 'verify', options: { rate: 0 } }, 'rate: '],
    [{ kind: 'verify', options: { rate: '50M' } }, 'rate: '],
    [{ kind: 'covers-fetch', options: { release_ids: [] } }, 'release_ids: '],
    [{ kind: 'covers-fetch', options: { release_ids: ['1'] } }, 'release_ids: '],
  ])('refuses to start %j, and names the invalid field', async (json, detail) => {
    const response = await post(json);
    expect(response.status).toBe(422);
    expect(String(response.json.detail).slice(0, detail.length)).toBe(detail);
  });

  test('allows only editors to use jobs, and only admins to scan with `forget`', async () => {
    for (const [method, path] of [
      ['GET', '/api/jobs'],
      ['POST', '/api/jobs'],
      ['GET', '/api/jobs/1'],
      ['POST', '/api/jobs/1/stop'],
      ['GET', '/api/schedules'],
    ] as const) {
      expect((await request(method, path)).status).toBe(401);
      expect((await request(method, path, { token: tokens.user })).status).toBe(403);
    }
    const forgetting = { kind: 'scan', options: { forget: true } };
    expect(statusAndJson(await post(forgetting))).toEqual([403, { detail: 'forbidden' }]);
    await rm(join(root, 'long.iso'));
    const { status, json } = await post(forgetting, tokens.admin);
    expect(status).toBe(200);
    expect(await ended(Number(json.id))).toMatchObject({ state: 'done' });
    expect(statusAndJson(await get('/api/jobs/999'))).toEqual([404, { detail: 'not found' }]);
    const stop = await request('POST', '/api/jobs/999/stop', { token: tokens.editor });
    expect(statusAndJson(stop)).toEqual([404, { detail: 'not found' }]);
  });
});

describe('schedules', () => {
  const change = (kind: string, json: object, token = tokens.admin) =>
    request('PATCH', `/api/schedules/${kind}`, { token, json });

  test('are off at first, and can be changed by admins', async () => {
    const off = { on: false, weekday: null, time: '03:00', next_at: null };
    const { json } = await get('/api/schedules');
    expect(json).toEqual({ items: scheduledJobKinds.map((kind) => ({ kind, ...off })) });
    expect(scheduledJobKinds.slice(0, 2)).toEqual(['scan', 'covers-fetch']);
    const changed = await change('scan', { on: true, weekday: 0, time: '23:59' });
    expect(changed.json).toMatchObject({ kind: 'scan', on: true, weekday: 0, time: '23:59' });
    const next = new Date(String(changed.json.next_at));
    expect([next.getDay(), next.getHours(), next.getMinutes()]).toEqual([0, 23, 59]);
    expect((await change('scan', { weekday: null })).json).toMatchObject({
      on: true,
      weekday: null,
    });
    const off2 = await change('scan', { on: false });
    expect(off2.json).toMatchObject({ on: false, time: '23:59', next_at: null });
    const { items } = (await get('/api/audit?target=schedule/scan', tokens.admin)).json;
    expect(items).toMatchObject([{ detail: { isOn: false } }, {}, { action: 'schedule.edit' }]);
  });

  test('refuse an invalid time, weekday or switch, an unknown kind, and an editor', async () => {
    expect((await change('scan', { time: '24:00' })).status).toBe(422);
    expect((await change('scan', { time: '3:00' })).status).toBe(422);
    expect((await change('scan', { weekday: 7 })).status).toBe(422);
    expect((await change('scan', { on: 1 })).status).toBe(422);
    expect((await change('import', { on: true })).status).toBe(404);
    expect((await change('scan', {}, tokens.editor)).status).toBe(403);
  });
});
