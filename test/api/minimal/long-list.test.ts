import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Releases } from '../../../src/core/releases/releases.ts';
import { type Ask, askAt } from '../../support/ask.ts';
import { eventually } from '../../support/eventually.ts';
import { addReleases, type MinimalApp, startMinimalApp } from '../../support/minimal-app.ts';

const count = 20_000;
let app: MinimalApp;
let ask: Ask;
beforeAll(async () => {
  app = await startMinimalApp();
  ask = askAt(app.url);
  await addReleases(app, count, 800);
});
afterAll(() => app.close());

/** What the app read from the catalogue since the call: batches of a whole list, and whether it read to the end. */
function watchStream() {
  const seen = { batches: 0, ended: false };
  const real = Releases.prototype.streamWritten;
  Releases.prototype.streamWritten = async function* (this: Releases, ...asked) {
    try {
      for await (const batch of real.call(this, ...asked)) {
        seen.batches += 1;
        yield batch;
      }
    } finally {
      seen.ended = true;
    }
  };
  onTestFinished(() => {
    Releases.prototype.streamWritten = real;
  });
  return seen;
}

test.each([0, 499, 12_345])(
  'a negative limit from offset %i on equals the pages, to the byte',
  async (start) => {
    const pages: unknown[] = [];
    for (let offset = start; offset < count; offset += 500) {
      const { items } = (await ask('GET', `/api/releases?limit=500&offset=${offset}`)).json;
      pages.push(...(items as unknown[]));
    }
    expect(pages).toHaveLength(count - start);
    const whole = await ask('GET', `/api/releases?limit=-1&offset=${start}`);
    const expected = JSON.stringify({ items: pages, limit: -1, offset: start }, null, 2);
    expect(whole.text === expected).toBe(true); // 20 MB of difference help nobody
  },
);

test('a reader who pauses holds the reading back, and one who leaves ends it', async () => {
  const seen = watchStream();
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write('GET /api/releases?limit=-1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  let before = -1;
  await eventually(async () => {
    const same = seen.batches === before;
    before = seen.batches;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return same && seen.batches === before;
  }, Boolean);
  expect(seen.ended).toBe(false);
  expect(seen.batches).toBeGreaterThan(0);
  expect(seen.batches).toBeLessThan(count / 500 - 5);
  socket.destroy();
  expect(await eventually(() => seen.ended, Boolean)).toBe(true);
  expect(seen.batches).toBeLessThan(count / 500);
});

test('HEAD reads nothing and sends nothing', async () => {
  const seen = watchStream();
  const answer = await ask('HEAD', '/api/releases?limit=-1');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([answer.status, answer.body.length, seen.batches]).toEqual([200, 0, 0]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a list whose reading fails is not silently short', async () => {
  const real = Releases.prototype.streamWritten;
  Releases.prototype.streamWritten = async function* (this: Releases, ...asked) {
    for await (const batch of real.call(this, ...asked)) {
      yield batch;
      throw new Error('the disk is gone');
    }
  };
  onTestFinished(() => {
    Releases.prototype.streamWritten = real;
  });
  await expect(ask('GET', '/api/releases?limit=-1')).rejects.toThrow(/aborted|ECONNRESET|hang up/);
});
