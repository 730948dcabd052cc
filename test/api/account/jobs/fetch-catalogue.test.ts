import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { libretroZip } from '../../../imports/catalogue/archive.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';
import { pollOptions } from '../../../support/poll-options.ts';

const zip = libretroZip();
let respond: RequestListener = (_request, response) => response.end(zip);
const server = createServer((request, response) => respond(request, response));
let app: TestApp;
let request: Requester;
let editor: { username: string; token: string };

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  app = await startTestApp({ 'catalogue-source': `http://127.0.0.1:${port}/master.zip` });
  request = createRequester(app.url);
  editor = await makePerson(app, 'editor');
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

const start = (kind: string, token = editor.token) =>
  request('POST', '/api/jobs', { token, json: { kind, options: {} } });

async function ended(id: unknown) {
  return vi.waitFor(async () => {
    const { json } = await request('GET', `/api/jobs/${id}`, { token: editor.token });
    expect(json.state).not.toBe('running');
    return json;
  }, pollOptions);
}

describe('a job that fetches the catalogue', () => {
  test('imports the fetched catalogue for an editor, and is refused to a user', async () => {
    expect((await request('GET', '/api/session')).json.catalogue_source).toBe(true);
    const user = await makePerson(app, 'user');
    expect((await start('fetch-catalogue', user.token)).status).toBe(403);
    const { id } = (await start('fetch-catalogue')).json;
    expect(await ended(id)).toMatchObject({
      state: 'done',
      attempts: 3,
      report: { size: zip.length, files: 3, new: 2, filled: 1, refused: [], refused_files: 0 },
    });
    const { items } = (await request('GET', '/api/imports', { token: editor.token })).json;
    expect(items).toMatchObject(
      ['developer', 'no-intro', 'redump'].map(() => ({ imported_by: editor.username })),
    );
  });

  test('runs neither during an import nor twice, and stops during the download', async () => {
    respond = (_request, response) => void response.writeHead(200).write(zip.subarray(0, 100));
    const { id } = (await start('fetch-catalogue')).json;
    await vi.waitFor(async () => {
      const { json } = await request('GET', `/api/jobs/${id}`, { token: editor.token });
      expect(json.progress).toEqual({
        phase: 'download',
        done: 100,
        total: 0,
        unit: 'bytes',
        name: '',
      });
    }, pollOptions);
    const actor = { kind: 'system' } as const;
    const begun = await app.catalog.jobs.begin({ kind: 'import', options: {}, actor });
    expect(begun).toMatchObject({ running: { id, kind: 'fetch-catalogue' } });
    expect((await start('fetch-catalogue')).status).toBe(409);
    await request('POST', `/api/jobs/${id}/stop`, { token: editor.token });
    expect(await ended(id)).toMatchObject({ state: 'stopped' });

    const run = await app.catalog.jobs.begin({ kind: 'import', options: {}, actor });
    if (!('id' in run)) throw new Error('the import did not begin');
    expect((await start('fetch-catalogue')).status).toBe(409);
    await app.catalog.jobs.endRun(run, { reason: 'the test is over', wasStoppedByServer: false });
  });

  test('fails with a reason and advice if the source sends a web page', async () => {
    respond = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    const { id } = (await start('fetch-catalogue')).json;
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      report: {
        error: expect.stringMatching(/it sends a web page instead of a zip; without it, /),
      },
    });
  });
});
