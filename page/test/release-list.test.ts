import { describe, expect, test } from 'vitest';
import type { ReleasePage } from '../src/api/releases.ts';
import { Refusal } from '../src/api/request.ts';
import { type CatalogueLocation, parseLocation } from '../src/catalogue/catalogue-location.ts';
import { ReleaseList } from '../src/catalogue/release-list.svelte.ts';

const place = (query = ''): CatalogueLocation => parseLocation(new URLSearchParams(query));
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

interface PendingRequest {
  readonly offset: number;
  readonly search: string;
  readonly signal: AbortSignal;
  respond(): void;
  refuse(error: Error): void;
}

/**
 * Returns a list from a server with `total` releases. A response stays pending until the test sends
 * it.
 */
function slowServer(total: number) {
  const requests: PendingRequest[] = [];
  const list = new ReleaseList(({ search }, { offset, limit, wantsTotal }, signal) => {
    return new Promise<ReleasePage>((resolve, reject) => {
      const count = Math.max(0, Math.min(limit, total - offset));
      const items = Array.from({ length: count }, (_, at) => ({
        id: offset + at + 1,
        system: 'games',
        name: `${search}${offset + at}`,
        region: '',
        library: '',
        serial: '',
        cover: '',
      }));
      const respond = () => resolve({ items, ...(wantsTotal && { total }) });
      requests.push({ offset, search, signal, respond, refuse: reject });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  return { list, requests };
}

async function opened(total: number, query = '') {
  const server = slowServer(total);
  const open = server.list.open(place(query));
  server.requests[0]?.respond();
  await open;
  return server;
}

describe('the list of releases', () => {
  test('opens at the position from the URL and knows the total', async () => {
    const { list, requests } = await opened(170_000, 'at=4321');
    expect(requests.map((each) => each.offset)).toEqual([4300]);
    expect([list.total, list.item(4321)?.id, list.item(1)]).toEqual([170_000, 4322, undefined]);
  });

  test('requests each page in view once', async () => {
    const { list, requests } = await opened(1000);
    list.loadVisible(180, 320);
    list.loadVisible(190, 310);
    expect(requests.slice(1).map((each) => each.offset)).toEqual([100, 200, 300]);
    for (const each of requests.slice(1)) each.respond();
    await settled();
    expect(list.item(250)?.name).toBe('250');
  });

  test('aborts requests for pages that are out of view', async () => {
    const { list, requests } = await opened(100_000);
    list.loadVisible(50_000, 50_050);
    list.loadVisible(90_000, 90_050);
    expect(requests.map((each) => each.signal.aborted)).toEqual([false, true, false]);
    await settled();
    expect(list.failure).toBeNull();
  });

  test('shows the old list until the new one arrives and ignores outdated responses', async () => {
    const { list, requests } = await opened(500);
    const first = list.open(place('search=a'));
    const second = list.open(place('search=ab'));
    expect(list.item(0)?.name).toBe('0');
    requests[2]?.respond();
    requests[1]?.respond();
    await Promise.all([first, second]);
    expect(list.item(0)?.name).toBe('ab0');
  });

  test('reports a failure and requests the page again on retry', async () => {
    const { list, requests } = await opened(500);
    list.loadVisible(200, 210);
    requests[1]?.refuse(new Error('away'));
    await settled();
    expect(list.failure).toBeInstanceOf(Error);
    list.retry();
    requests[2]?.respond();
    await settled();
    expect([list.failure, list.item(200)?.id]).toEqual([null, 201]);
  });

  test('keeps the list when reloading fails, but clears it when sign-in is required', async () => {
    const { list, requests } = await opened(500);
    const again = list.open(place('search=a'));
    requests[1]?.refuse(new Error('away'));
    await again;
    expect([list.total, list.item(0)?.id]).toEqual([500, 1]);
    const refused = list.open(place('search=b'));
    requests[2]?.refuse(new Refusal(401, 'not authenticated'));
    await refused;
    expect([list.total, list.item(0), list.failure]).toEqual([
      null,
      undefined,
      expect.any(Refusal),
    ]);
  });

  test('returns a range that spans several pages', async () => {
    const { list, requests } = await opened(1000);
    const stretch = list.loadRange(190, 305);
    for (let page = 1; page <= 3; page++) {
      requests[page]?.respond();
      await settled();
    }
    expect((await stretch).map((each) => each.id)).toEqual(
      Array.from({ length: 115 }, (_, at) => 191 + at),
    );
  });

  test('evicts old pages but none in view', async () => {
    const { list, requests } = await opened(100_000);
    for (let page = 1; page < 100; page++) {
      list.loadVisible(page * 100, page * 100 + 50);
      requests.at(-1)?.respond();
      await settled();
    }
    expect(list.item(0)).toBeUndefined();
    expect(list.item(9910)).toBeDefined();
  });

  test('shows an edited release at once', async () => {
    const { list } = await opened(10);
    list.patch(3, { name: 'New' });
    expect([list.item(2)?.name, list.item(1)?.name, list.indexOf(3)]).toEqual(['New', '1', 2]);
  });

  test('reports which list has failed, and keeps the releases of the list before', async () => {
    const { list, requests } = await opened(300);
    const failed = list.open(place('search=b'));
    expect(list.failureOf(place('search=b'))).toBeNull();
    requests.at(-1)?.refuse(new Error('broken'));
    await failed;
    expect(list.failureOf(place('search=b'))).toEqual(new Error('broken'));
    expect([list.failureOf(place()), list.total]).toEqual([null, 300]);
  });

  test('keeps no page after the list was discarded, although it has as many releases', async () => {
    const { list, requests } = await opened(300);
    list.loadVisible(150, 160);
    requests[1]?.respond();
    await settled();
    list.discard();
    expect([list.total, list.place, list.item(150)]).toEqual([null, null, undefined]);
    const again = list.open(place());
    requests[2]?.respond();
    await again;
    expect([list.total, list.item(0)?.id, list.item(150)]).toEqual([300, 1, undefined]);
  });
});
