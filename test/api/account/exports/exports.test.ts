import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { readGamelist } from '../../../support/exports/gamelist.ts';
import { readZip } from '../../../support/exports/zip.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';
import { inspectPicture, plainPicture } from '../../../support/images/pictures.ts';

const gameBoy = 'Nintendo - Game Boy';
const psx = 'Sony - PlayStation';
let app: TestApp;
let request: Requester;
let root: string;
let ann: { token: string };
let bob: { token: string };
let id: number;

/** Writes a library file, and returns a ROM with its hash. */
async function owned(file: string, rom: string) {
  const content = `\0${file}`;
  await writeFile(join(root, file), content);
  const sha1 = createHash('sha1').update(content).digest('hex');
  return [{ name: rom, size: `${content.length}`, sha1 }];
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  [ann, bob] = [await makePerson(app, 'user'), await makePerson(app, 'user')];
  await importGames(
    app,
    [
      { name: 'Tetris (World)', roms: await owned('tet.gb', 'Tetris (World).gb') },
      {
        name: 'Alleyway (World)',
        region: 'World',
        roms: await owned('a.gb', 'Alleyway (World).gb'),
      },
      { name: 'Missing (World)', roms: [{ name: 'Missing (World).gb', size: '1' }] },
    ],
    gameBoy,
  );
  const discs = [1, 2].map((number) => `Saga (USA) (Disc ${number})`);
  const games = await Promise.all(
    discs.map(async (name, i) => ({ name, roms: await owned(`${i}.iso`, `${name}.iso`) })),
  );
  const track = { name: 'Track (USA)', roms: await owned('p.bin', 'Track (USA).bin') };
  await importGames(app, [...games, track], psx);
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
  const { json } = await get('/api/releases?search=tetris');
  const [tetris] = json.items as { id: number }[];
  const cover = await plainPicture({ width: 900, height: 900 }, 'webp');
  await writeFile(join(app.data, 'covers', `${tetris?.id}.webp`), cover);
  const rule = { field: 'system', is: 'games' };
  const made = await request('POST', '/api/sets', { ...ann, json: { name: 'Mine: all', rule } });
  id = made.json.id as number;
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const get = (path: string, options: { token: string } = ann) => request('GET', path, options);
async function zipOf(profile: string, query = '') {
  const { status, headers, body } = await get(`/api/sets/${id}/export/${profile}${query}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/zip']);
  return { headers, files: await readZip(body) };
}

describe('GET /api/profiles', () => {
  test('lists each profile with its title, file system, metadata and platforms', async () => {
    const items = (await get('/api/profiles')).json.items as { id: string; platforms: object[] }[];
    expect(items.find((each) => each.id === 'es-de')).toMatchObject({
      title: 'ES-DE',
      based_on: null,
      own: false,
      file_system: 'posix',
      metadata: 'es-de',
    });
    const { platforms } = items.find((each) => each.id === 'rocknix') ?? { platforms: [] };
    expect(platforms).toContainEqual({
      platform: psx,
      folder: 'psx',
      extensions: ['chd', 'cue', 'pbp', 'ccd', 'iso'],
      playlists: true,
    });
  });
});

describe('GET /api/sets/{set_id}/export/{profile}', () => {
  test('sends a zip with the metadata, the playlists and the pictures of the set', async () => {
    const { headers, files } = await zipOf('batocera');
    expect(headers['content-disposition']).toContain('Mine_ all (batocera).zip');
    expect(headers['cache-control']).toBe('private, no-cache');
    expect([...files.keys()].sort()).toEqual([
      'gb/gamelist.xml',
      'gb/images/Tetris (World)-thumb.png',
      'left_out.json',
      'psx/Saga (USA).m3u',
      'psx/gamelist.xml',
    ]);
    const list = files.get('gb/gamelist.xml')?.content.toString() ?? '';
    expect(readGamelist(list, 'batocera')).toMatchObject([
      { path: './Alleyway (World).gb', name: 'Alleyway (World)', region: 'wr' },
      { path: './Tetris (World).gb', image: './images/Tetris (World)-thumb.png' },
    ]);
    const picture = files.get('gb/images/Tetris (World)-thumb.png');
    expect(await inspectPicture(picture?.content ?? Buffer.alloc(0))).toMatchObject({
      format: 'png',
      width: 640,
      height: 640,
    });
    expect(`${files.get('psx/Saga (USA).m3u')?.content}`).toBe(
      'Saga (USA) (Disc 1).iso\nSaga (USA) (Disc 2).iso\n',
    );
    expect(JSON.parse(`${files.get('left_out.json')?.content}`)).toMatchObject({
      set: 'Mine: all',
      not_in_library: 1,
      left_out: [{ file: 'p.bin', why: `Batocera does not open .bin files of ${psx}` }],
    });
  });

  test('writes paths below `roms_path`, and refuses a path that is too long', async () => {
    const { files } = await zipOf('retroarch', '?roms_path=/sd/roms');
    const list = JSON.parse(`${files.get(`playlists/${gameBoy}.lpl`)?.content}`);
    expect(list.base_content_directory).toBe('/sd/roms');
    expect(list.items[0].path).toBe(`/sd/roms/${gameBoy}/Alleyway (World).gb`);
    const long = await get(`/api/sets/${id}/export/retroarch?roms_path=${'x'.repeat(1_001)}`);
    expect([long.status, long.json.detail]).toEqual([
      422,
      'roms_path: must be a path of at most 1000 characters',
    ]);
  });

  test('responds 404 to a hidden set and to an unknown profile', async () => {
    expect((await get(`/api/sets/${id}/export/es-de`, bob)).status).toBe(404);
    const none = await get(`/api/sets/${id}/export/none`);
    expect([none.status, none.json.detail]).toEqual([404, 'no such profile']);
    expect((await request('GET', `/api/sets/${id}/export/es-de`)).status).toBe(401);
  });
});

describe('GET /api/sets/{set_id}/left-out/{profile}', () => {
  const leftOut = (query: string, token = ann) => get(`/api/sets/${id}/left-out/${query}`, token);

  test('counts and lists, in pages, the files that the export leaves out', async () => {
    const { json } = await leftOut('batocera');
    const why = `Batocera does not open .bin files of ${psx}`;
    expect(json).toMatchObject({
      ...{ set: 'Mine: all', profile: 'batocera', games: 3, not_in_library: 1 },
      ...{ total: 1, limit: 50, offset: 0 },
      left_out: [{ platform: psx, release: 'Track (USA)', file: 'p.bin', why }],
    });
    const { files } = await zipOf('batocera');
    const { left_out: same } = JSON.parse(`${files.get('left_out.json')?.content}`);
    expect(json.left_out).toEqual(same);
    expect((await leftOut('batocera?offset=1')).json).toMatchObject({ total: 1, left_out: [] });
    const clamped = (await leftOut('batocera?limit=0&offset=-5')).json;
    expect(clamped).toMatchObject({ limit: 1, offset: 0, left_out: [{ file: 'p.bin' }] });
  });

  test('responds 404 to a hidden set and to an unknown profile', async () => {
    expect((await leftOut('es-de', bob)).status).toBe(404);
    const none = await leftOut('none');
    expect([none.status, none.json.detail]).toEqual([404, 'no such profile']);
  });
});
