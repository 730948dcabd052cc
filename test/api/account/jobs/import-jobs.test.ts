import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { game, xml } from '../../../imports/support/dat-text.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';
import { tusClient } from '../../../support/http/tus.ts';
import { pollOptions } from '../../../support/poll-options.ts';

let app: TestApp;
let request: Requester;
let editor: { username: string; token: string };
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  editor = await makePerson(app, 'editor');
});
afterAll(() => app.close());

async function upload(filename: string, text: string | Buffer, token = editor.token) {
  const tus = tusClient(request, token);
  const bytes = Buffer.from(text);
  const uploadUrl = await tus.createUpload(bytes.length, { filename, system: 'dats' });
  if (bytes.length > 0) await tus.send(uploadUrl, 0, bytes);
  const { id } = await tus.waitUntilChecked(uploadUrl);
  return Number(id);
}

const post = (kind: string, options: object, token = editor.token) =>
  request('POST', '/api/jobs', { token, json: { kind, options } });

/** Starts a job and returns its report once the job is done. */
async function report(kind: string, options: object, token = editor.token) {
  const { status, json } = await post(kind, options, token);
  expect([status, json]).toEqual([200, { id: expect.any(Number) }]);
  const job = await vi.waitFor(async () => {
    const response = await request('GET', `/api/jobs/${json.id}`, { token });
    expect(response.json.state).not.toBe('running');
    return response.json;
  }, pollOptions);
  expect(job.state).toBe('done');
  return job.report as { dry_run: boolean; files: Record<string, unknown>[] };
}

const releases = async () => {
  const { total } = (await request('GET', '/api/releases?include=total')).json;
  return total;
};

const first = xml([game('One', 'one'), game('Two', 'two')], 'Test - Console', '1');
const second = xml([game('One', 'one'), game('Two again', 'two')], 'Test - Console', '2');

describe('the API of imports', () => {
  test('previews an upload without importing it, then imports it under its own name', async () => {
    const id = await upload('console.dat', first);
    const preview = await report('import-preview', { uploads: [id] });
    const fileReport = {
      file: 'console.dat',
      kind: 'dat',
      platform: 'Test - Console',
      version: '1',
      counts: { rows: 2, releases: 2, new: 2, unchanged: 0, refused_rows: 0 },
      samples: { new: ['One', 'Two'], refused_rows: [] },
    };
    expect(preview).toMatchObject({ dry_run: true, files: [fileReport] });
    expect(await releases()).toBe(0);

    const uploads = `/api/uploads/${id}`;
    const before = (await request('GET', uploads, { token: editor.token })).json.expires_at;
    expect(await report('import', { uploads: [id] })).toMatchObject({
      dry_run: false,
      files: [fileReport],
    });
    expect(await releases()).toBe(2);
    // The upload is stored for another 7 days.
    const after = (await request('GET', uploads, { token: editor.token })).json.expires_at;
    expect(String(after) > String(before)).toBe(true);
    const { items } = (await request('GET', '/api/imports', { token: editor.token })).json;
    expect(items).toMatchObject([{ file: 'console.dat', imported_by: editor.username }]);
  });

  test('previews each of several files alone, and imports one after the other', async () => {
    const uploads = [await upload('b.dat', second), await upload('c.dat', second)];
    const { files } = await report('import-preview', { uploads });
    const changes = {
      counts: { renamed: 1, unchanged: 1 },
      samples: { renamed: ['Two -> Two again'] },
    };
    expect(files).toMatchObject([
      { file: 'b.dat', ...changes },
      { file: 'c.dat', ...changes },
    ]);
    const imported = await report('import', { uploads });
    expect(imported.files).toMatchObject([changes, { counts: { renamed: 0, unchanged: 2 } }]);
  });

  test('refuses an invalid file with its line and reason, and previews a valid one', async () => {
    const uploads = [
      await upload('broken.dat', `${first.slice(0, 120)}<<<`),
      await upload('console.dat', second),
      await upload('no-dat.zip', Buffer.from('PK\x03\x04 no zip at all')),
      await upload('none.txt', 'nothing'),
    ];
    const { files } = await report('import-preview', { uploads });
    expect(files).toMatchObject([
      { file: 'broken.dat', line: expect.any(Number), reason: expect.any(String) },
      { file: 'console.dat', counts: { unchanged: 2 } },
      { file: 'no-dat.zip', line: null, refused: expect.stringMatching(/^no-dat\.zip: /) },
      { file: 'none.txt', line: expect.any(Number) },
    ]);
    // The report does not reveal where the files are stored.
    expect(JSON.stringify(files)).not.toContain(app.data);
  });

  test('imports a hostile name as plain text, and refuses a DAT with entities', async () => {
    const name = '<script>alert(1)</script> "; DROP TABLE release; --';
    const dtd =
      '<!DOCTYPE datafile [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const text = xml([game(name, 'hostile')], 'Test - Hostile');
    const uploads = [
      await upload('hostile.dat', text),
      await upload(
        'bomb.dat',
        text.replace('<datafile>', `${dtd}<datafile>`).replace('DROP', '&b;'),
      ),
    ];
    const { files } = await report('import', { uploads });
    expect(files[0]).toMatchObject({ counts: { new: 1 }, samples: { new: [name] } });
    expect(files[1]).toMatchObject({ file: 'bomb.dat', line: expect.any(Number) });
  });

  test('imports during a preview, under the requested system and source', {
    tags: ['full'],
  }, async () => {
    const id = await upload('named.dat', xml([game('Film', 'film')], 'Test - Player'));
    const options = { uploads: [id], system: 'films', source: 'mine' };
    const [preview, imported] = await Promise.all([
      report('import-preview', options),
      report('import', options),
    ]);
    expect(preview.files).toHaveLength(1);
    expect(imported.files).toMatchObject([{ counts: { new: 1 } }]);
    const { items } = (await request('GET', '/api/imports?limit=1', { token: editor.token })).json;
    expect(items).toMatchObject([{ system: 'films', source: { name: 'mine' } }]);
  });

  test("refuses an unfinished upload, and another user's unless an admin imports it", async () => {
    const other = await makePerson(app, 'editor');
    const id = await upload('theirs.dat', first, other.token);
    const refusal = (detail: string) => [422, { detail }];
    const unknown = (upload: number) =>
      refusal(`uploads: ${upload} is no upload of dats that is done`);
    expect(statusAndJson(await post('import', { uploads: [id] }))).toEqual(unknown(id));
    expect(statusAndJson(await post('import-preview', { uploads: [999] }))).toEqual(unknown(999));
    const tus = tusClient(request, editor.token);
    const uploadUrl = await tus.createUpload(5, { filename: 'half.dat', system: 'dats' });
    const half = Number(uploadUrl.split('/').at(-1));
    expect(statusAndJson(await post('import', { uploads: [half] }))).toEqual(unknown(half));
    expect(statusAndJson(await post('import', {}))).toEqual(refusal('uploads: is required'));
    expect((await post('import', { uploads: [] })).status).toBe(422);
    expect((await post('import', { uploads: [id], paths: ['/etc'] })).status).toBe(422);
    expect((await post('import', { uploads: [id], system: ' ' })).status).toBe(422);
    expect((await post('import', { uploads: [id], prune: true })).status).toBe(403);
    const { files } = await report('import', { uploads: [id], prune: true }, app.adminToken);
    expect(files).toHaveLength(1);
  });
});
