import { link, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let root: string;
let user: { id: number; username: string; token: string };

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  user = await makePerson(app, 'user');
  await mkdir(join(root, 'folder'));
  await writeFile(join(root, 'folder', 'Pokémon.cue'), '0123456789');
  await writeFile(join(root, 'packed.zip'), 'PK\x03\x04 cut');
  await scan(app);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

function scan({ catalog }: TestApp) {
  return catalog.scanner.scan({
    roots: catalog.libraryRoots,
    ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
}

async function idOf(name: string): Promise<number> {
  const { json } = await request('GET', '/api/library', { token: user.token });
  const items = json.items as { id: number; name: string }[];
  return items.find((each) => each.name === name)?.id ?? 0;
}

const download = async (name: string, headers = {}, method = 'GET') =>
  request(method, `/api/library/${await idOf(name)}/download`, { token: user.token, headers });
const listOwn = async () =>
  (await request('GET', '/api/auth/downloads', { token: user.token })).json.items as object[];

describe('GET /library/{file_id}/download', () => {
  test('sends the bytes of a library file under its own name', async () => {
    const whole = await download('Pokémon.cue');
    expect([whole.status, whole.text]).toEqual([200, '0123456789']);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="Pok_mon.cue"; filename*=UTF-8''Pok%C3%A9mon.cue`,
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('private'),
    });
    expect((await download('packed.zip')).text).toBe('PK\x03\x04 cut');
  });

  test('handles ranges, validators and HEAD', async () => {
    const { headers } = await download('Pokémon.cue', {}, 'HEAD');
    expect(headers['content-length']).toBe('10');
    const part = await download('Pokémon.cue', { range: 'bytes=2-4' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    const etag = String(headers.etag);
    expect((await download('Pokémon.cue', { 'if-none-match': etag })).status).toBe(304);
    expect((await download('Pokémon.cue', { range: 'bytes=10-' })).status).toBe(416);
  });

  test('records a whole GET as a `library` download that endpoint 20 does not count', async () => {
    const before = (await listOwn()).length;
    await download('packed.zip');
    await download('packed.zip', {}, 'HEAD');
    await download('packed.zip', { range: 'bytes=1-' });
    const own = await listOwn();
    expect(own.length - before).toBe(1);
    expect(own[0]).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      username: user.username,
      kind: 'library',
      system: 'games',
      name: 'packed.zip',
      bytes: 8,
    });
    const { json } = await request('GET', '/api/stats', { token: app.adminToken });
    expect([json.downloads, json.recent]).toEqual([0, []]);
    const dashboard = await request('GET', '/api/dashboard', { token: app.adminToken });
    const days = dashboard.json.downloads as { count: number }[];
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(0);
  });

  test('responds 404 for a missing file, a link, the database and an unknown id', async () => {
    const names = ['gone.iso', 'linked.iso', 'database.iso', 'below.iso'];
    await mkdir(join(root, 'moved'));
    for (const name of names.slice(0, 3)) await writeFile(join(root, name), name);
    await writeFile(join(root, 'moved', 'below.iso'), 'below');
    await scan(app);
    await rm(join(root, 'gone.iso'));
    await rm(join(root, 'linked.iso'));
    await symlink(join(root, 'packed.zip'), join(root, 'linked.iso'));
    await rm(join(root, 'database.iso'));
    await link(join(app.data, 'catalog.db'), join(root, 'database.iso')).catch(async (error) => {
      if (error.code !== 'EXDEV') throw error; // The folders are on two disks.
    });
    await rename(join(root, 'moved'), join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(root, 'moved'));
    for (const name of names) expect([name, (await download(name)).status]).toEqual([name, 404]);
    const unknown = await request('GET', '/api/library/999999/download', { token: user.token });
    expect([unknown.status, unknown.json]).toEqual([404, { detail: 'not found' }]);
  });

  test('responds 403 with `--library-downloads off`', async () => {
    const closed = await startTestApp({ 'games-root': root, 'library-downloads': 'off' });
    onTestFinished(() => closed.close());
    const { token } = await makePerson(closed, 'user');
    const refused = await createRequester(closed.url)('GET', '/api/library/1/download', { token });
    expect([refused.status, refused.json]).toEqual([403, { detail: 'library downloads are off' }]);
  });
});
