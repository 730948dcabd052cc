import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';
import { sha256 } from '../../../support/http/tus.ts';

let app: TestApp;
let request: Requester;
const stored = [
  'Über Game (USA).zip',
  'alpha.zip',
  "Tony Hawk's 2, The (USA) [!].7z",
  'rom name.iso',
];
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
  const near = Array.from({ length: 60 }, (_, at) => `Tony Hawk Number ${at}`);
  const rom = { name: 'rom name.iso', size: '1', crc: '00000001' };
  await importGames(app, [
    "Tony Hawk's 2, The (USA) [!]",
    'Über Game (USA)',
    ...near,
    { name: 'Another', roms: [rom] },
  ]);
  for (const filename of stored) {
    const form = { filename, bytes: `bytes of ${filename}` };
    await request('POST', '/api/store/upload', { token: app.adminToken, form });
  }
  const folder = join(app.data, 'store/games');
  writeFileSync(join(folder, 'by hand.zip'), 'by hand');
  mkdirSync(join(folder, 'folder'));
  symlinkSync('alpha.zip', join(folder, 'link.zip'));
  symlinkSync('gone.zip', join(folder, 'leads nowhere.zip'));
  symlinkSync('folder', join(folder, 'leads to a folder.zip'));
});
afterAll(() => app.close());

const all = [
  'Tony Hawks 2 The (USA) .7z',
  'alpha.zip',
  'by hand.zip',
  'link.zip',
  'rom name.iso',
  'Über Game (USA).zip',
];
const list = async (query: string) => (await request('GET', `/api/store?${query}`)).json;
const namesOf = ({ items }: Record<string, unknown>) =>
  (items as { name: string }[]).map(({ name }) => name);

describe('GET /store', () => {
  test('lists all archives without `limit`, with the default fields only', async () => {
    const json = await list('');
    const name = expect.any(String);
    expect(namesOf(json)).toEqual(all);
    expect(json).toEqual({ items: expect.any(Array), count: 6, system: 'games' });
    const item = { name, filename: name, size: expect.any(Number), mtime_ns: expect.any(Number) };
    expect((json.items as unknown[])[0]).toEqual({ ...item, system: 'games' });
  });

  test('lists pages with the total, and clamps `limit` and `offset`', async () => {
    const page = await list('limit=2&offset=1&include=total');
    expect([namesOf(page), page.count, page.total]).toEqual([all.slice(1, 3), 2, 6]);
    expect(namesOf(await list('limit=0&offset=-5'))).toEqual(all.slice(0, 1));
    expect(namesOf(await list('limit=501&offset=99'))).toEqual([]);
    const none = await list('system=videos&limit=5&include=total');
    expect(none).toEqual({ items: [], count: 0, system: 'videos', total: 0 });
  });

  test('finds archives by words, regardless of case and accents', async () => {
    expect(namesOf(await list('search=usa%20UBER'))).toEqual(['Über Game (USA).zip']);
    expect(namesOf(await list('search=zip&limit=2'))).toEqual(['alpha.zip', 'by hand.zip']);
    expect(await list('search=nothing&include=total')).toMatchObject({ items: [], total: 0 });
  });

  test('finds archives by size only if their checksums are recorded', async () => {
    const bytes = Buffer.byteLength('bytes of alpha.zip');
    const found = await list(`size=${bytes}&include=sha256`);
    const checksum = sha256(Buffer.from('bytes of alpha.zip')).toString('hex');
    expect(found.items).toMatchObject([{ name: 'alpha.zip', sha256: checksum }]);
    expect(namesOf(await list('size=7'))).toEqual([]);
  });

  test('returns the recorded checksum, and the release with the name of the archive', async () => {
    const { items } = await list('include=sha256,release');
    const listed = (items as Record<string, unknown>[]).map(({ name, sha256, release }) => {
      return [name, sha256 !== null, (release as { name: string } | null)?.name ?? null];
    });
    expect(listed).toEqual([
      [all[0], true, "Tony Hawk's 2, The (USA) [!]"],
      ['alpha.zip', true, null],
      ['by hand.zip', false, null],
      ['link.zip', false, null],
      ['rom name.iso', true, 'Another'],
      ['Über Game (USA).zip', true, 'Über Game (USA)'],
    ]);
    expect((await request('GET', '/api/store?include=x')).status).toBe(422);
  });
});
