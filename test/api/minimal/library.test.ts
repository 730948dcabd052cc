import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LibraryItem } from '../../../src/core/library/library-file.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

const known: LibraryItem = {
  name: 'one.iso',
  path: '/roms/one.iso',
  size: 4_700_000_000,
  system: 'games',
  releaseId: 7,
  serial: 'ULES-00288',
  method: 'serial',
  canonical: 'One (Europe).iso',
};
const unknown = { releaseId: null, serial: null, method: null, canonical: null };
const files: LibraryItem[] = [
  known,
  { ...known, ...unknown, name: 'two "é".iso', path: '/films/two "é".iso', system: 'videos' },
  { ...known, ...unknown, name: 'z.iso', path: '/z.iso', size: 0, system: null },
];

let app: MinimalApp;
let request: Requester;
const refreshes: boolean[] = [];
beforeAll(async () => {
  app = await startMinimalApp({
    async listLibrary({ refresh }) {
      refreshes.push(refresh);
      return files;
    },
  });
  request = createRequester(app.url);
});
afterAll(() => app.close());

/** The items in the format of minimal-api.md. */
const shown = files.map(({ name, path, size, system, releaseId, serial, method, canonical }) => {
  const cover = releaseId === null ? null : `/api/cover/${releaseId}`;
  return { name, path, size, system, release_id: releaseId, serial, method, canonical, cover };
});

describe('the library of the minimal API', () => {
  test('lists the items with their nine fields and their number, byte for byte', async () => {
    const response = await request('GET', '/api/library');
    const expected = JSON.stringify({ items: shown, count: 3 }, null, 2);
    expect([response.status, response.text]).toEqual([200, expected]);
    expect(shown[0]?.cover).toBe('/api/cover/7');
    expect(shown[1]?.cover).toBeNull();
  });

  test.each([
    ['?system=games', [0]],
    ['?system=videos', [1]],
    ['?system=Videos', []],
    ['?system=null', []],
    ['?system=%25', []],
    ['?system=', [0, 1, 2]],
    ['?system=videos&system=games', [1]],
  ])('shows for `%s` the items %j', async (query, expected) => {
    const items = expected.map((index) => shown[index]);
    const response = await request('GET', `/api/library${query}`);
    expect(response.text).toBe(JSON.stringify({ items, count: items.length }, null, 2));
  });

  test.each([
    ['', false],
    ['?refresh=1', true],
    ['?refresh=true', true],
    ['?refresh=TRUE', true],
    ['?refresh=Yes', true],
    ['?refresh=yes&system=games', true],
    ['?refresh=1&refresh=0', true],
    ['?refresh=0&refresh=1', false],
    ['?refresh=0', false],
    ['?refresh=', false],
    ['?refresh', false],
    ['?refresh=on', false],
    ['?refresh=y', false],
    ['?refresh=2', false],
    ['?refresh=+1', false],
    ['?refresh=trüe', false],
    ['?Refresh=1', false],
  ])('refreshes for `%s` its list of files: %s', async (query, refresh) => {
    refreshes.length = 0;
    await request('GET', `/api/library${encodeURI(query)}`);
    expect(refreshes).toEqual([refresh]);
  });
});
