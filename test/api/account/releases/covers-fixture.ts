import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../../support/http/requester.ts';
import { pollOptions } from '../../../support/poll-options.ts';

export const statusAndJson = ({ status, json }: TestResponse) => [status, json];
export const noCover = [404, { detail: 'no cover available' }];
export const immutable = 'private, max-age=31536000, immutable';

export let app: TestApp;
export let request: Requester;
export let token: string;
export let id = 0;
export let other = 0;

export interface Item {
  readonly id: number;
  readonly cover_tag: string | null;
  readonly platform?: string;
  readonly regions?: string[];
}
export const list = async (include = 'cover') =>
  (await request('GET', `/api/releases?include=${include}`)).json.items as Item[];
export const tagOf = async (release = id) =>
  (await list()).find((item) => item.id === release)?.cover_tag ?? null;
export const put = (bytes: Buffer, of = id) =>
  request('POST', `/api/cover/${of}`, { token, form: { bytes } });
export const get = (query: string, headers = {}) =>
  request('GET', `/api/cover/${id}?${query}`, { headers });
export const thumbnails = async () =>
  (await readdir(join(app.data, 'thumbnails')).catch(() => [])).toSorted();
/** Waits until `count` thumbnails are stored. The server stores them in the background. */
export const stored = (count: number) =>
  vi.waitFor(async () => {
    const names = await thumbnails();
    expect(names).toHaveLength(count);
    return names;
  }, pollOptions);

/**
 * Starts an app with two releases before the tests. Removes the cover of the release `id` before
 * each test.
 */
export function serveCovers(): void {
  beforeAll(async () => {
    app = await startTestApp();
    request = createRequester(app.url);
    token = (await makePerson(app, 'editor')).token;
    await importGames(app, ['One', 'Two']);
    const [one, two] = await list();
    id = one?.id ?? 0;
    other = two?.id ?? 0;
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await request('DELETE', `/api/cover/${id}`, { token });
  });
}
