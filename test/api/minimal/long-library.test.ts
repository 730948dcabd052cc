import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LibraryItem } from '../../../src/core/library/library-file.ts';
import { waitUntilFull } from '../../http-shared/server.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

/**
 * `files` are the files that the server lists. `onRead` is called with the index of each item that
 * the server reads.
 */
let files: readonly LibraryItem[] = [];
let onRead: (index: number) => void = () => undefined;

let app: MinimalApp;
let request: Requester;
beforeAll(async () => {
  app = await startMinimalApp({ listLibrary: async () => files });
  request = createRequester(app.url);
});
afterAll(() => app.close());
beforeEach(() => {
  onRead = () => undefined;
});

/**
 * Makes library items, a third of which are videos. `padding` is the number of characters added to
 * each path.
 */
function makeFiles(count: number, padding = 0): LibraryItem[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index} "ア\u{1F600}\n".iso`,
    get path() {
      onRead(index);
      return `/roms/${'x'.repeat(padding)}\\${index}.iso`;
    },
    size: index * 4_700_000_000,
    system: index % 3 === 2 ? 'videos' : 'games',
    releaseId: index % 2 === 0 ? null : index,
    serial: index % 2 === 0 ? null : `ULES-${index}`,
    method: index % 2 === 0 ? null : 'serial',
    canonical: index % 2 === 0 ? null : `${index}.iso`,
  }));
}

/** Returns the text of the whole response as minimal-api.md specifies it. */
function responseFor(shown: readonly LibraryItem[]): string {
  const items = shown.map(({ name, path, size, system, releaseId, serial, method, canonical }) => {
    const cover = releaseId === null ? null : `/api/cover/${releaseId}`;
    return { name, path, size, system, release_id: releaseId, serial, method, canonical, cover };
  });
  return JSON.stringify({ items, count: items.length }, null, 2);
}

describe.each([0, 1, 2, 249, 250, 251, 252, 500, 501, 20_000])('a library of %i files', (count) => {
  beforeEach(() => {
    files = makeFiles(count);
  });

  test.each(['', '?system=games', '?system=videos', '?system=nothing'])(
    'returns for `%s` the same bytes as a single piece of JSON',
    async (query) => {
      const system = query.split('=')[1];
      const response = await request('GET', `/api/library${query}`);
      expect(response.status).toBe(200);
      const shown = files.filter((file) => system === undefined || file.system === system);
      expect(response.text === responseFor(shown)).toBe(true); // `toBe` would print megabytes
    },
  );

  test('sends for HEAD the headers of GET and no body, and a length if it is short', async () => {
    const [get, head] = [
      await request('GET', '/api/library'),
      await request('HEAD', '/api/library'),
    ];
    // Only a response with a body has the header `transfer-encoding`.
    const { date: _get, 'transfer-encoding': encoding, ...getHeaders } = get.headers;
    const { date: _head, ...headHeaders } = head.headers;
    expect(headHeaders).toEqual(getHeaders);
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const isShort = count <= 250;
    expect(getHeaders['content-length']).toBe(isShort ? String(get.body.length) : undefined);
    expect(encoding).toBe(isShort ? undefined : 'chunked');
    expect(getHeaders['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('the library of the minimal API', () => {
  test('reads no items for HEAD of a long list', async () => {
    files = makeFiles(1000);
    let reads = 0;
    onRead = () => {
      reads += 1;
    };
    await request('HEAD', '/api/library');
    // HEAD must not read the files. If HEAD had started to read, both requests would read the files
    // concurrently, and the number of reads would be higher.
    await request('GET', '/api/library');
    expect(reads).toBe(files.length);
  });

  test('responds to another request while it produces a long list', async () => {
    files = makeFiles(50_000);
    const order: string[] = [];
    let other: Promise<unknown> = Promise.resolve();
    onRead = (index) => {
      if (index === 0) other = request('GET', '/').then(() => order.push('other'));
      if (index === files.length - 1) order.push('list');
    };
    await request('GET', '/api/library');
    await other;
    expect(order).toEqual(['other', 'list']);
  });

  test('produces few items per turn of the event loop, even for many clients', async () => {
    files = makeFiles(5_000);
    let [inThisTurn, maxPerTurn, reads] = [0, 0, 0];
    onRead = () => {
      reads += 1;
      inThisTurn += 1;
      if (inThisTurn === 1) {
        setImmediate(() => {
          maxPerTurn = Math.max(maxPerTurn, inThisTurn);
          inThisTurn = 0;
        });
      }
    };
    const readers = Array.from({ length: 10 }, () => request('GET', '/api/library'));
    const lengths = (await Promise.all(readers)).map(({ body }) => body.length);
    expect(new Set(lengths).size).toBe(1);
    expect(reads).toBe(10 * files.length);
    expect(maxPerTurn).toBeLessThanOrEqual(2 * 250);
  });

  test('reads no items while the client pauses or after it has disconnected', async () => {
    files = makeFiles(20_000, 800);
    let furthest = -1;
    onRead = (index) => {
      furthest = index;
    };
    const accepted = once(app.app.server, 'connection');
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /api/library HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    const [serverEnd] = (await accepted) as [Socket];
    await waitUntilFull(() => [serverEnd]);
    expect(furthest).toBeGreaterThan(0);
    expect(furthest).toBeLessThan(files.length - 2_500);
    socket.destroy();
    await new Promise((resolve) => serverEnd.once('close', resolve));
    // After many turns of the event loop, the server has still not read further items.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(furthest).toBeLessThan(files.length - 2_500);
  });
});
