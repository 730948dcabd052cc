import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Covers } from '../../src/core/covers/covers.ts';
import { createAccountApi } from '../../src/http/account-api/app.ts';
import { importGames } from '../support/data/dats.ts';
import { makePerson } from '../support/data/people.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { createRequester } from '../support/http/requester.ts';
import { blue, plainPicture } from '../support/images/pictures.ts';
import { listen, neverTheSame, options, startServers } from './servers.ts';

let app: TestApp;
let plain: Awaited<ReturnType<typeof startServers>>;
let pictures: Buffer[];
let token: string;
let id = 0;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, ['One']);
  plain = await startServers(app.catalog, neverTheSame());
  token = (await makePerson(app, 'editor')).token;
  id = 1;
  const sizes = [10, 20, 30];
  pictures = await Promise.all(
    sizes.map((side) => plainPicture({ width: 900, height: 400 + side, color: blue })),
  );
});
afterAll(async () => {
  await plain.close();
  await app.close();
});

const methods = [
  'upload',
  'remove',
  'add by rename',
  'write in place',
  'add another type',
  'link',
  'touch',
  'add one of the future',
  'delete by hand',
  'edit the release',
] as const;
interface Change {
  readonly by: (typeof methods)[number];
  readonly picture: number;
}
const change: fc.Arbitrary<Change> = fc.record({
  by: fc.constantFrom(...methods),
  picture: fc.integer({ min: 0, max: 2 }),
});

let added = 0;

/** Returns a time later than all earlier ones, so that the next picture is the newest. */
function nextTime(): number {
  added += 1;
  return 1_700_000_000 + added;
}

async function make({ by, picture }: Change): Promise<void> {
  const covers = join(app.data, 'covers');
  const at = (type: string) => join(covers, `${id}.${type}`);
  const bytes = pictures[picture] as Buffer;
  const addFile = async (path: string, time = nextTime()) => {
    const aside = join(app.data, 'aside');
    await writeFile(aside, bytes);
    await utimes(aside, time, time);
    await rename(aside, path);
  };
  const send = createRequester(app.url);
  if (by === 'upload') await send('POST', `/api/cover/${id}`, { token, form: { bytes } });
  if (by === 'remove') await send('DELETE', `/api/cover/${id}`, { token });
  if (by === 'add by rename') await addFile(at('png'));
  if (by === 'write in place') await writeFile(at('png'), bytes);
  if (by === 'add another type') await addFile(at('webp'));
  if (by === 'add one of the future') await addFile(at('jpg'), 4_000_000_000);
  if (by === 'touch') {
    const time = nextTime();
    await utimes(at('png'), time, time).catch(() => undefined);
  }
  if (by === 'link') {
    await addFile(join(covers, 'other.png'));
    await rm(at('jpg'), { force: true });
    await symlink('other.png', at('jpg'));
  }
  if (by === 'delete by hand') {
    for (const type of ['png', 'jpg', 'webp']) await rm(at(type), { force: true });
  }
  if (by === 'edit the release') {
    await app.catalog.releases.edit(id, { genre: `g${nextTime()}` }, { kind: 'system' });
  }
}

/** Returns a response without the fields that depend on the time and the connection. */
async function responseTo(url: string, method: string, headers: Readonly<Record<string, string>>) {
  const sent = request(url, { method, headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  const names = response.rawHeaders.filter((_: string, index: number) => index % 2 === 0);
  const { date: _, ...fields } = response.headers;
  // A file with an mtime in the future is sent with the current time as `last-modified`.
  const modified = Date.parse(fields['last-modified'] ?? '');
  if (modified > Date.now() - 60_000) delete fields['last-modified'];
  const bytes = (await buffer(response)).toString('base64');
  return { status: response.statusCode, names, fields, bytes };
}

const path = () => `/api/cover/${id}`;

/**
 * Makes the changes and throws if a response differs from the plain one. Compares the first, a
 * cached and a repeated response.
 */
async function compare(url: string, changes: readonly Change[]): Promise<void> {
  for (const next of [null, ...changes]) {
    if (next !== null) await make(next);
    for (const query of ['?width=160', '?width=161&tag=x', '']) {
      const coverPath = path() + query;
      const first = await responseTo(plain.urls.account + coverPath, 'GET', {});
      const { etag = '"none"', 'last-modified': modified = '' } = first.fields;
      const requests: [string, Record<string, string>][] = [
        ['GET', {}],
        ['GET', {}],
        ['GET', { 'if-none-match': etag }],
        ['GET', { 'if-none-match': `W/${etag}`, 'if-modified-since': 'x' }],
        ['GET', { 'if-none-match': '"other"', 'if-modified-since': modified }],
        ['GET', { 'if-modified-since': modified }],
        ['GET', { range: 'bytes=3-10' }],
        ['GET', { range: 'bytes=3-10', 'if-range': etag }],
        ['GET', { range: 'bytes=3-10', 'if-range': '"other"' }],
        ['GET', { range: 'bytes=9999999-' }],
        ['HEAD', {}],
        ['GET', {}],
      ];
      for (const [method, headers] of requests) {
        const expected = await responseTo(plain.urls.account + coverPath, method, headers);
        const response = await responseTo(url + coverPath, method, headers);
        expect(response, `${method} ${coverPath} ${JSON.stringify(headers)}`).toEqual(expected);
      }
    }
  }
}

describe('the cache of covers', () => {
  test('responds as without a cache after each kind of change', async () => {
    const each = methods.map((by, index) => ({ by, picture: index % 3 }));
    const upload: Change = { by: 'upload', picture: 0 };
    await compare(app.url, [upload, ...each]);
  });

  test('responds as without a cache after many random changes', { tags: ['full'] }, async () => {
    const each = methods.map((by, index) => ({ by, picture: index % 3 }));
    const upload: Change = { by: 'upload', picture: 0 };
    await compare(app.url, [...each.flatMap((one) => [upload, one]), ...each.reverse()]);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 6 }), (made) =>
        compare(app.url, made),
      ),
      { numRuns: 4, endOnFailure: true },
    );
  });

  test('serves a cached thumbnail without the framework, but not through a link', async () => {
    await make({ by: 'delete by hand', picture: 0 });
    await make({ by: 'add by rename', picture: 1 });
    let opened = 0;
    const covers = coversWith({
      thumbnail: (...args) => {
        opened += 1;
        return app.catalog.covers.thumbnail(...args);
      },
    });
    const url = await start({ ...app.catalog, covers });
    const coverUrl = `${url}${path()}?width=160`;
    const first = await responseTo(coverUrl, 'GET', {});
    const handled = countHandled();
    for (let turn = 0; turn < 3; turn += 1)
      expect(await responseTo(coverUrl, 'GET', {})).toEqual(first);
    const known = { 'if-none-match': first.fields.etag };
    expect((await responseTo(coverUrl, 'GET', known)).status).toBe(304);
    expect(handled()).toBe(0);
    expect((await responseTo(coverUrl, 'GET', { range: 'bytes=0-0' })).status).toBe(206);
    expect([opened, handled()]).toEqual([1, 1]);
    await make({ by: 'delete by hand', picture: 0 });
    await make({ by: 'link', picture: 1 });
    for (let turn = 0; turn < 3; turn += 1) await responseTo(coverUrl, 'GET', {});
    expect(opened).toBe(4);
  });

  test('serves a cached thumbnail only to signed-in users if signing in is required', async () => {
    await make({ by: 'upload', picture: 0 });
    const url = await start(app.catalog, true);
    const coverUrl = `${url}${path()}?width=160`;
    const signedIn = { authorization: `Bearer ${token}` };
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await responseTo(coverUrl, 'GET', signedIn);
      expect([response.status, response.fields['cache-control']]).toEqual([
        200,
        'private, no-cache',
      ]);
      expect((await responseTo(coverUrl, 'GET', {})).status).toBe(401);
    }
  });
});

type Fingerprint = (id: number) => string | null;
const stale = 'notices stale thumbnails after a planted fault: %s';
describe('the comparison with uncached covers', () => {
  test.each<[string, (fingerprint: Fingerprint) => Fingerprint]>([
    [
      'a fingerprint of only one type',
      (fingerprint) => (of) => fingerprint(of)?.split(',')[0] ?? null,
    ],
    ['a fingerprint that never changes', () => () => 'the same'],
    [
      'a fingerprint of only the size',
      (fingerprint) => (of) => fingerprint(of)?.replaceAll(/\d+\/(\d+)[^,]*/g, '$1') ?? null,
    ],
  ])(stale, { tags: ['full'] }, expectStale);
});

async function expectStale(
  _fault: string,
  plant: (fingerprint: Fingerprint) => Fingerprint,
): Promise<void> {
  const fingerprint = plant((of) => app.catalog.covers.fingerprintSync(of));
  const covers = coversWith({ fingerprintSync: fingerprint });
  const url = await start({ ...app.catalog, covers });
  const changes: Change[] = [
    { by: 'add by rename', picture: 0 },
    { by: 'touch', picture: 0 },
    { by: 'add another type', picture: 1 },
    { by: 'delete by hand', picture: 1 },
  ];
  // A random test may leave a cover of the future, which would hide another type.
  await make({ by: 'delete by hand', picture: 0 });
  // Another commit may evict one of the cached URLs, but then the other URL is still stale.
  await expect(compare(url, changes)).rejects.toThrow(path());
  await compare(app.url, changes);
}

/** Returns the covers with some functions replaced. */
function coversWith(other: Partial<Covers>): Covers {
  return new Proxy(app.catalog.covers, {
    get: (covers, name: keyof Covers) => other[name] ?? covers[name].bind(covers),
  });
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Starts a server with these parts. Returns its URL. */
async function start(parts: TestApp['catalog'], requireSignIn = false): Promise<string> {
  const settings = {
    basePath: '',
    corsOrigins: [],
    requireSignIn,
    version: 'test',
    archiveSender: 'direct' as const,
  };
  const server = await createAccountApi({ ...parts, ...settings }, options);
  closing.push(async () => {
    server.server.closeAllConnections();
    await server.close();
  });
  return listen(server);
}

/**
 * Returns a function that counts the requests that the framework's handlers have processed since
 * this call.
 */
function countHandled(): () => number {
  let handled = 0;
  const count = () => {
    handled += 1;
  };
  const handlers = channel('tracing:fastify.request.handler:start');
  handlers.subscribe(count);
  onTestFinished(() => {
    handlers.unsubscribe(count);
  });
  return () => handled;
}
