import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
let root: string;
const statusAndJson = ({ status, json }: TestResponse) => [status, json];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

describe('GET /releases/{release_id}/library', () => {
  beforeAll(async () => {
    const sha1 = createHash('sha1').update('content').digest('hex');
    await importGames(app, [
      { name: 'Found', roms: [{ name: 'Found & more.iso', size: '7', sha1 }] },
      { name: 'By name', roms: [{ name: 'By name.iso', size: '5', sha1: 'a'.repeat(40) }] },
      'Lost',
    ]);
    await mkdir(join(root, 'folder'));
    await writeFile(join(root, 'folder', 'nonsense.bin'), 'content');
    await writeFile(join(root, 'another.bin'), 'content');
    await writeFile(join(root, 'By name.zip'), 'damaged');
    await app.catalog.scanner.scan({
      roots: app.catalog.libraryRoots,
      ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
      signal: new AbortController().signal,
      onProgress() {},
    });
  });
  const idOf = async (name: string) => {
    const { items } = (await request('GET', `/api/releases?q=${name}`)).json;
    return (items as { id: number }[])[0]?.id;
  };
  const listed = async (name: string, token?: string) =>
    request('GET', `/api/releases/${await idOf(name)}/library`, { token });

  test('lists the matched files by name, with paths for editors only', async () => {
    const { token } = await makePerson(app, 'user');
    const common = { size: 7, method: 'sha1', rom: 'Found & more.iso' };
    const file = (name: string) => ({ id: expect.any(Number), name, ...common });
    const items = [file('another.bin'), file('nonsense.bin')];
    expect(statusAndJson(await listed('Found', token))).toEqual([200, { items }]);
    for (const role of ['editor', 'admin'] as const) {
      const person = await makePerson(app, role);
      const paths = [join(root, 'another.bin'), join(root, 'folder', 'nonsense.bin')];
      const withPaths = items.map((item, index) => ({ ...item, path: paths[index] }));
      expect(statusAndJson(await listed('Found', person.token))).toEqual([
        200,
        { items: withPaths },
      ]);
    }
    const named = { name: 'By name.zip', size: 7, method: 'name', rom: null };
    expect((await listed('By%20name', token)).json).toMatchObject({ items: [named] });
    expect(statusAndJson(await listed('Lost', token))).toEqual([200, { items: [] }]);
  });

  test('requires a user, and responds 404 to an unknown release', async () => {
    expect(statusAndJson(await listed('Found'))).toEqual([401, { detail: 'not authenticated' }]);
    const { token } = await makePerson(app, 'user');
    const unknown = await request('GET', '/api/releases/999999/library', { token });
    expect(statusAndJson(unknown)).toEqual([404, { detail: 'not found' }]);
    expect((await request('GET', '/api/releases/x/library', { token })).status).toBe(422);
    expect((await request('GET', '/api/releases/999999/library')).status).toBe(401);
  });
});

describe('GET /releases/{release_id}/archives', () => {
  const name = 'Game & Watch: Gallery (Japan)';
  const stem = 'Game  Watch Gallery (Japan)';
  let editor: string;
  let path: string;

  beforeAll(async () => {
    editor = (await makePerson(app, 'editor')).token;
    const sha1 = 'b'.repeat(40);
    const roms = [
      { name: 'Disc (v1.0).bin', size: '3', sha1 },
      { name: 'no ending', size: '4', sha1: 'c'.repeat(40) },
      { name: '&.&', size: '5', sha1: 'd'.repeat(40) },
    ];
    await importGames(app, [{ name, roms }], 'Test - Archives');
    await importGames(app, [{ name: 'Spiel (Alt)', roms }, 'x', 'y'], 'Test - Archives');
    const { items } = (await request('GET', '/api/releases?q=gallery')).json;
    path = `/api/releases/${(items as { id: number }[])[0]?.id}/archives`;
  });
  const upload = async (filename: string, system: string) => {
    const form = { filename, bytes: filename };
    const response = await request('POST', `/api/store/upload?system=${system}`, {
      token: editor,
      form,
    });
    expect(response.status).toBe(200);
  };
  const listed = async () => {
    const { items } = (await request('GET', path)).json;
    return items as { name: string; system: string }[];
  };

  test('lists archives with the name of the release, a ROM or a row of a source', async () => {
    expect(await listed()).toEqual([]);
    await upload(`${name}.zip`, 'games');
    await upload(`${name}.zip`, 'videos');
    expect(await listed()).toMatchObject([
      { name: `${stem}.zip`, system: 'games' },
      { name: `${stem}.zip`, system: 'videos' },
    ]);
    const folder = join(app.data, 'store/games');
    const alike = [
      `${name}.tar.gz`,
      stem,
      'Disc (v1.0).7z',
      'Disc (v1.0).bin.zip',
      'no ending.chd',
      'Spiel (Alt).zip',
    ];
    const others = [
      `${stem} 2.zip`,
      `${stem.toLowerCase()}.zip`,
      `${stem}.part one.zip`,
      'Disc (v1.zip',
      'Disc.zip',
      'Spiel.zip',
      '.zip',
      '&.zip',
    ];
    for (const file of [...alike, ...others]) await writeFile(join(folder, file), '');
    await mkdir(join(folder, `${stem}.folder`));
    await upload('x.zip', 'games'); // makes the server read the folder again
    const names = [...alike, `${stem}.zip`, `${stem}.zip`].sort();
    expect((await listed()).map((item) => item.name)).toEqual(names);
  });

  test('returns the same items as the store, and drops removed archives at once', async () => {
    const all = await listed();
    for (const system of ['games', 'videos']) {
      const { items } = (await request('GET', `/api/store?system=${system}`)).json;
      for (const item of all.filter((one) => one.system === system)) {
        expect(items).toContainEqual(item);
      }
    }
    await rm(join(app.data, 'store/games', 'Disc (v1.0).7z'));
    const removed = `/api/store/videos/${encodeURIComponent(`${stem}.zip`)}`;
    await request('DELETE', removed, { token: editor });
    expect(await listed()).toHaveLength(all.length - 2);
  });

  test('is open to anyone, and responds 404 to an unknown release', async () => {
    const unknown = await request('GET', '/api/releases/999999/archives');
    expect(statusAndJson(unknown)).toEqual([404, { detail: 'not found' }]);
    expect((await request('GET', '/api/releases/x/archives')).status).toBe(422);
  });
});
