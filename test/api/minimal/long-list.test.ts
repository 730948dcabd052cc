import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Releases } from '../../../src/core/releases/releases.ts';
import { waitUntilFull } from '../../http-shared/server.ts';
import { addReleases, type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

const count = 20_000;
const start = 12_345;
let app: MinimalApp;
let request: Requester;
beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
  await addReleases(app, count, 800);
});
afterAll(() => app.close());

/**
 * Counts how often a whole list is read from now on, and the batches. Also records whether a
 * reading has ended.
 */
function watchStream() {
  const seen = { readings: 0, batches: 0, ended: false };
  const real = Releases.prototype.streamAsText;
  Releases.prototype.streamAsText = async function* (this: Releases, ...args) {
    seen.readings += 1;
    try {
      for await (const batch of real.call(this, ...args)) {
        seen.batches += 1;
        yield batch;
      }
    } finally {
      seen.ended = true;
    }
  };
  onTestFinished(() => {
    Releases.prototype.streamAsText = real;
  });
  return seen;
}

describe('the release list of the minimal API', () => {
  test('returns for a negative limit the same items as the pages, byte for byte', async () => {
    const pages: unknown[] = [];
    for (let offset = start; offset < count; offset += 500) {
      const { items } = (await request('GET', `/api/releases?limit=500&offset=${offset}`)).json;
      pages.push(...(items as unknown[]));
    }
    expect(pages).toHaveLength(count - start);
    const whole = await request('GET', `/api/releases?limit=-1&offset=${start}`);
    const expected = JSON.stringify({ items: pages, limit: -1, offset: start }, null, 2);
    expect(whole.text === expected).toBe(true); // `toBe` would print megabytes
  });

  test('pauses reading while the client pauses, and stops when it disconnects', async () => {
    const seen = watchStream();
    const accepted = once(app.app.server, 'connection');
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /api/releases?limit=-1 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    const [serverEnd] = (await accepted) as [Socket];
    await waitUntilFull(() => [serverEnd]);
    expect(seen.ended).toBe(false);
    expect(seen.batches).toBeGreaterThan(0);
    expect(seen.batches).toBeLessThan(count / 500 - 5);
    socket.destroy();
    await expect.poll(() => seen.ended).toBe(true);
    expect(seen.batches).toBeLessThan(count / 500);
  });

  test('reads and sends nothing for HEAD', async () => {
    const seen = watchStream();
    const response = await request('HEAD', '/api/releases?limit=-1');
    expect([response.status, response.body.length]).toEqual([200, 0]);
    // HEAD must not read the list. If HEAD had started to read, both requests would read the list
    // concurrently, and the number of readings would be higher.
    await request('GET', `/api/releases?limit=-1&offset=${start}`);
    expect(seen.readings).toBe(1);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('aborts the response if reading the list fails', async () => {
    const real = Releases.prototype.streamAsText;
    Releases.prototype.streamAsText = async function* (this: Releases, ...args) {
      for await (const batch of real.call(this, ...args)) {
        yield batch;
        throw new Error('the disk is gone');
      }
    };
    onTestFinished(() => {
      Releases.prototype.streamAsText = real;
    });
    await expect(request('GET', '/api/releases?limit=-1')).rejects.toThrow(
      /aborted|ECONNRESET|hang up/,
    );
  });
});
