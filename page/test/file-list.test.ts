import { describe, expect, test } from 'vitest';
import type { listFiles } from '../src/api/library.ts';
import { FileList } from '../src/library/file-list.svelte.ts';

type Page = Awaited<ReturnType<typeof listFiles>>;

interface PendingRequest {
  readonly offset: number;
  readonly state: string;
  readonly signal: AbortSignal;
  respond(): void;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const all = { search: '', state: '' };
const damaged = { search: '', state: 'damaged' };

/** Returns a list of `total` files. A response stays pending until the test sends it. */
function slowServer(total: number) {
  const requests: PendingRequest[] = [];
  const list = new FileList(({ state }, { offset, limit }, signal) => {
    return new Promise<Page>((resolve, reject) => {
      const count = Math.max(0, Math.min(limit, total - offset));
      const items = Array.from({ length: count }, (_, at) => ({
        id: offset + at + 1,
        name: `${state}${offset + at}`,
      }));
      requests.push({
        ...{ offset, state, signal },
        respond: () => resolve({ items, total } as unknown as Page),
      });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const show = async (first: number, end: number) => {
    const before = requests.length;
    list.loadVisible(first, end);
    for (const each of requests.slice(before)) each.respond();
    await settled();
  };
  return { list, requests, show };
}

async function opened(total: number) {
  const server = slowServer(total);
  const open = server.list.open(all);
  server.requests[0]?.respond();
  await open;
  return server;
}

describe('the list of library files', () => {
  test('evicts no visible page, however early it was read', async () => {
    const { list, show } = await opened(100_000);
    for (let page = 2; page <= 60; page++) await show(page * 100, page * 100 + 50);
    await show(50, 150); // page 0 was read first, page 1 is new
    expect([list.item(50)?.name, list.item(120)?.name]).toEqual(['50', '120']);
    expect(list.item(250)).toBeUndefined();
  });

  test('opens another list although the user scrolls meanwhile', async () => {
    const { list, requests, show } = await opened(100_000);
    await show(5000, 5050);
    const open = list.open(damaged);
    list.loadVisible(6000, 6050);
    expect(requests.at(-1)).toMatchObject({ offset: 0, state: 'damaged' });
    requests.at(-1)?.respond();
    await open;
    expect([list.filter, list.item(0)?.name, list.item(5000)]).toEqual([
      damaged,
      'damaged0',
      undefined,
    ]);
  });

  test('aborts reads of pages that are out of view, without a failure', async () => {
    const { list, requests } = await opened(100_000);
    list.loadVisible(5000, 5050);
    list.loadVisible(9000, 9050);
    await settled();
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    expect(list.failure).toBeNull();
  });
});
