import type { RequestListener, ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SourceResponse } from '../../src/core/covers/ports.ts';
import { coverUrl, HttpCoverSource, namesToTry } from '../../src/remote/cover-source.ts';
import { isPublicAddress } from '../../src/remote/public-address.ts';
import { png, signal, useSource } from './covers-fixture.ts';

/** Timeout for responses that never arrive, in milliseconds. */
const timeMs = 400;

function sourceAt(
  base: string,
  options: { lookup?: LookupFunction; timeMs?: number } = {},
): HttpCoverSource {
  const source = new HttpCoverSource({ base, ...options });
  onTestFinished(() => source.close());
  return source;
}

function fetchFrom(
  base: string,
  { names = ['A Game'], ...options }: { names?: string[] } & Parameters<typeof sourceAt>[1] = {},
): Promise<SourceResponse> {
  return sourceAt(base, options).fetch({ platform: 'P', names }, { signal, isPaced: false });
}

async function probeServer(
  respond: RequestListener,
  options: Parameters<typeof fetchFrom>[1] = {},
): Promise<SourceResponse> {
  return fetchFrom((await useSource(respond)).base, options);
}

describe('the cover source', () => {
  test.each([
    ['Sony - PlayStation', 'Name', 'Sony%20-%20PlayStation/Named_Boxarts/Name.png'],
    ['P', '&*/:`<>?\\|"', 'P/Named_Boxarts/___________.png'],
    ['P', "100% & it's #1 (Europe)", "P/Named_Boxarts/100%25%20_%20it's%20%231%20(Europe).png"],
    ['Sega - A & B', 'x', 'Sega%20-%20A%20%26%20B/Named_Boxarts/x.png'],
    ['a/../b', '..', 'a%2F..%2Fb/Named_Boxarts/...png'],
    ['P', 'ファイナル', `P/Named_Boxarts/${encodeURIComponent('ファイナル')}.png`],
    ['P', 'lone \ud800', 'P/Named_Boxarts/lone%20%EF%BF%BD.png'],
    ['P', 'line\nbreak\0', 'P/Named_Boxarts/line%0Abreak%00.png'],
  ])('builds the URL for %j, %j', (platform, name, path) => {
    for (const base of ['https://example.org', 'https://example.org/']) {
      expect(coverUrl(base, platform, name)?.href).toBe(`https://example.org/${path}`);
    }
    expect(coverUrl('https://example.org/a/b', platform, name)?.pathname).toBe(`/a/b/${path}`);
  });

  test.each(['', '.', '..'])('has no URL for the platform %j', (platform) => {
    expect(coverUrl('https://example.org', platform, 'x')).toBeNull();
  });

  test('tries the full names first and then the names cut at the first " ("', () => {
    expect(namesToTry(['A (Europe) (Rev 1)', 'B (USA)'])).toEqual([
      'A (Europe) (Rev 1)',
      'B (USA)',
      'A',
      'B',
    ]);
    expect(namesToTry(['A(Europe)', 'A(Europe)'])).toEqual(['A(Europe)']);
    expect(namesToTry([' (Europe)'])).toEqual([' (Europe)']);
  });

  test('requests the full name, then the short one, without credentials or encodings', async () => {
    const source = await useSource((request, response) => {
      if (request.url?.includes('Europe')) response.writeHead(404).end('none');
      else response.end(png('short'));
    });
    const result = await fetchFrom(source.base, { names: ['A Game (Europe)'] });
    expect(result).toEqual({
      kind: 'image',
      bytes: png('short'),
      url: `${source.base}/P/Named_Boxarts/A%20Game.png`,
    });
    expect(source.requests).toEqual([
      '/P/Named_Boxarts/A%20Game%20(Europe).png',
      '/P/Named_Boxarts/A%20Game.png',
    ]);
    for (const headers of source.headers) {
      expect(headers['accept-encoding']).toBe('identity');
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
    expect(source.connections()).toBe(1);
  });

  test.each([
    ['PNG', png()],
    ['JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['WebP', Buffer.from('RIFF....WEBPVP8 ')],
  ])('accepts a %s as a cover', async (_type, bytes) => {
    expect(await probeServer((_request, response) => response.end(bytes))).toMatchObject({
      kind: 'image',
      bytes,
    });
  });

  const tenMiB = 10 * 1_048_576;

  test.each<[string, RequestListener, string]>([
    ['404', (_, response) => response.writeHead(404).end(png()), 'it has none'],
    ['410', (_, response) => response.writeHead(410).end(), 'it has none'],
    ['a page', (_, response) => response.end('<!doctype html>'), 'no PNG'],
    ['a GIF', (_, response) => response.end('GIF89a..........'), 'no PNG'],
    ['an SVG', (_, response) => response.end('<svg onload="x()"/>'), 'no PNG'],
    ['an empty body', (_, response) => response.end(), 'no PNG'],
    ['gzip', encoded('gzip', gzipSync(png())), 'encoded'],
    ['br', encoded('br', brotliCompressSync(png())), 'encoded'],
    ['a body with a wrong content encoding', encoded('br', png()), 'encoded'],
    [
      'a length over 10 MiB',
      (_, response) => response.writeHead(200, { 'content-length': tenMiB + 1 }).write(png()),
      'more than 10485760 bytes',
    ],
    [
      'over 10 MiB in chunks',
      (_, response) => {
        response.write(png());
        response.end(Buffer.alloc(tenMiB));
      },
      'more than 10485760 bytes',
    ],
  ])('treats %s as a miss', async (_what, respond, reason) => {
    expect(await probeServer(respond)).toEqual({
      kind: 'miss',
      reason: expect.stringContaining(reason),
    });
  });

  function encoded(encoding: string, bytes: Buffer): RequestListener {
    return (_request, response) => response.setHeader('content-encoding', encoding).end(bytes);
  }

  test('accepts a cover of exactly 10 MiB', async () => {
    const bytes = Buffer.concat([png(), Buffer.alloc(tenMiB - 8)]);
    const result = await probeServer((_request, response) => response.end(bytes));
    expect(result.kind === 'image' && bytes.equals(result.bytes)).toBe(true);
  });

  test.each<[string, RequestListener, string]>([
    ['500', (_, response) => response.writeHead(500).end(), 'it answers 500'],
    ['403', (_, response) => response.writeHead(403).end(), 'it answers 403'],
    [
      'a redirect without a target',
      (_, response) => response.writeHead(302).end(),
      'it answers 302',
    ],
    ['no response', () => undefined, 'did not answer within 0.4 s'],
    ['a slow body', drip(200), 'did not answer within 0.4 s'],
    ['a slow 404', drip(404), 'did not answer within 0.4 s'],
    ['a closed connection', (request) => request.socket.destroy(), 'socket hang up'],
    [
      'a truncated response',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write(png(), () => response.destroy());
      },
      'aborted',
    ],
  ])('treats %s as a failure', async (_what, respond, reason) => {
    const options = reason.includes('0.4 s') ? { timeMs } : {};
    expect(await probeServer(respond, options)).toEqual({
      kind: 'failure',
      reason: expect.stringContaining(reason),
      retryAfterMs: null,
    });
  });

  function drip(status: number): RequestListener {
    return (_request, response) => {
      response.writeHead(status).write(png());
      const timer = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(timer));
    };
  }

  test('applies one timeout to all redirects together', async () => {
    const source = await useSource((request, response) => {
      const url = request.url ?? '';
      setTimeout(() => response.writeHead(302, { location: `${url}x` }).end(), timeMs / 3);
    });
    const reason = 'it did not answer within 0.4 s';
    expect(await fetchFrom(source.base, { timeMs })).toMatchObject({ kind: 'failure', reason });
  });

  test('returns the delay that a 429 response requests', async () => {
    const result = await probeServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '7' }).end();
    });
    expect(result).toEqual({ kind: 'failure', reason: 'it answers 429', retryAfterMs: 7000 });
  });

  test('treats a refused connection as a failure', async () => {
    expect(await fetchFrom('http://127.0.0.1:1')).toMatchObject({
      kind: 'failure',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('retries when the source closes a reused connection at the next request', async () => {
    const seen = new Set<unknown>();
    const server = await useSource((request, response) => {
      if (seen.has(request.socket)) return request.socket.destroy();
      seen.add(request.socket);
      return response.end(png());
    });
    const source = sourceAt(server.base);
    for (const name of ['one', 'two', 'three']) {
      const terms = { platform: 'P', names: [name] };
      expect(await source.fetch(terms, { signal, isPaced: false })).toMatchObject({
        kind: 'image',
      });
    }
    expect(server.connections()).toBe(3);
  });

  function redirect(to: string, status = 302): RequestListener {
    return (_request, response) => response.writeHead(status, { location: to }).end('moved');
  }

  test.each([301, 302, 303, 307, 308])('follows a redirect with %d', async (status) => {
    const source = await useSource((request, response) => {
      if (request.url === '/there') response.end(png());
      else redirect('/there', status)(request, response);
    });
    expect(await fetchFrom(source.base)).toMatchObject({ kind: 'image' });
  });

  test('follows five redirects but not six', async () => {
    let redirects = 5;
    const source = await useSource((request, response) => {
      const step = Number(request.url?.slice(1)) || 0;
      if (step === redirects) response.end(png());
      else redirect(`/${step + 1}`)(request, response);
    });
    expect(await fetchFrom(source.base)).toMatchObject({ kind: 'image' });
    redirects = 6;
    expect(await fetchFrom(source.base)).toEqual({
      kind: 'miss',
      reason: 'it redirects too often',
    });
  });

  test.each([
    (port: string) => `http://127.0.0.1:${port}/`,
    (port: string) => `http://localhost:${port}/`,
    (port: string) => `http://2130706433:${port}/`,
    (port: string) => `http://0177.0.0.1:${port}/`,
    (port: string) => `http://0x7f.1:${port}/`,
    (port: string) => `http://0.0.0.0:${port}/`,
    (port: string) => `http://[::1]:${port}/`,
    (port: string) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: string) => `http://user:secret@127.0.0.1:${port}/`,
    (port: string) => `//127.0.0.1:${port}/`,
    (port: string) => `https://127.0.0.1:${port}/`,
    () => 'http://169.254.169.254/latest/meta-data/',
    () => 'http://10.0.0.1/',
    () => 'http://192.168.1.1/',
    () => 'http://[fe80::1]/',
    () => 'http://[fd00::1]/',
  ])('refuses a redirect to another private server (%s)', async (location) => {
    const canary = await useSource((_request, response) => response.end(png()));
    const { port } = new URL(canary.base);
    expect(await probeServer(redirect(location(port)))).toEqual({
      kind: 'miss',
      reason: expect.stringContaining('it redirects to a private address'),
    });
    expect(canary.connections()).toBe(0);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://example.org/',
    'data:image/png,x',
    'javascript:0',
    'http://',
  ])('refuses a redirect to %s', async (location) => {
    expect(await probeServer(redirect(location))).toEqual({
      kind: 'miss',
      reason: expect.stringMatching(/^it redirects (to no address|away from http)/),
    });
  });

  /**
   * Returns a lookup function that resolves names alternately to two addresses. `count` returns the
   * number of lookups.
   */
  function rebinding(
    first: string,
    second: string,
  ): { lookup: LookupFunction; count: () => number } {
    let count = 0;
    const lookup: LookupFunction = (_hostname, options, callback) => {
      const address = count % 2 === 0 ? first : second;
      count += 1;
      if (options.all) callback(null, [{ address, family: 4 }]);
      else callback(null, address, 4);
    };
    return { lookup, count: () => count };
  }

  test('refuses a host name of changing private addresses, with one lookup per try', async () => {
    const canary = await useSource((_request, response) => response.end(png()));
    const { port } = new URL(canary.base);
    // 198.51.100.1 is an address for documentation. Here the address represents a private address
    // without a listener.
    const names = rebinding('127.0.0.1', '198.51.100.1');
    const there = await useSource(redirect(`http://rebound.example:${port}/`));
    for (const reason of ['127.0.0.1', '198.51.100.1']) {
      expect(await fetchFrom(there.base, { lookup: names.lookup })).toEqual({
        kind: 'miss',
        reason: `it redirects to a private address (${reason})`,
      });
    }
    expect(names.count()).toBe(2);
    expect(canary.connections()).toBe(0);
  });

  test('refuses a host name if any of its addresses is private', async () => {
    const source = await useSource(redirect('http://mixed.example/'));
    const lookup: LookupFunction = (_hostname, _options, callback) => {
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    };
    expect(await fetchFrom(source.base, { lookup })).toMatchObject({ kind: 'miss' });
  });

  test('allows a configured server whose name resolves to a private address', async () => {
    const source = await useSource((_request, response) => response.end(png()));
    const { port } = new URL(source.base);
    const { lookup } = rebinding('127.0.0.1', '127.0.0.1');
    expect(await fetchFrom(`http://nas.example:${port}`, { lookup })).toMatchObject({
      kind: 'image',
    });
  });

  test.each([
    ['8.8.8.8', true],
    ['172.32.0.1', true],
    ['2606:4700::1111', true],
    ['0.0.0.0', false],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['127.255.255.255', false],
    ['169.254.169.254', false],
    ['172.31.255.255', false],
    ['192.168.0.1', false],
    ['192.88.99.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:8.8.8.8', false],
    ['64:ff9b::a00:1', false],
    ['2002:7f00:1::', false],
    ['2001::1', false],
    ['2001:db8::1', false],
    ['3fff:fff::1', false],
    ['4000::1', false],
    ['fc00::1', false],
    ['fe80::1%eth0', false],
    ['ff02::1', false],
    ['example.org', false],
    ['', false],
  ])('classifies %s as public: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  test('sends three requests at a time, and does not send those that wait too long', async () => {
    const open: ServerResponse[] = [];
    const server = await useSource((_request, response) => void open.push(response));
    const source = sourceAt(server.base, { timeMs: 60_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const fetches = Array.from({ length: 5 }, (_, at) =>
      source.fetch({ platform: 'P', names: [`${at}`] }, { signal, isPaced: false }),
    );
    const untilOpen = async (count: number) => {
      while (open.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    await untilOpen(3);
    open[0]?.end(png());
    expect(await fetches[0]).toMatchObject({ kind: 'image' });
    await untilOpen(4);
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    const kinds = (await Promise.all(fetches)).map((result) => result.kind);
    expect(kinds).toEqual(['image', 'failure', 'failure', 'failure', 'failure']);
    expect(server.requests.length).toBe(4);
    server.respond = (_request, response) => response.end(png());
    const next = await source.fetch({ platform: 'P', names: ['x'] }, { signal, isPaced: false });
    expect(next).toMatchObject({ kind: 'image' });
  });

  test('limits the rate of requests that are marked as paced', async () => {
    const server = await useSource((_request, response) => response.end(png()));
    const source = new HttpCoverSource({ base: server.base, paceMs: 60 });
    onTestFinished(() => source.close());
    const started = performance.now();
    const fetches = Array.from({ length: 5 }, (_, at) =>
      source.fetch({ platform: 'P', names: [`${at}`] }, { signal, isPaced: true }),
    );
    await Promise.all(fetches);
    expect(performance.now() - started).toBeGreaterThan(230);
  });

  test('stops a request when its signal is aborted, before the timeout', async () => {
    const server = await useSource(() => undefined);
    const stop = new AbortController();
    const terms = { platform: 'P', names: ['x'] };
    const source = new HttpCoverSource({ base: server.base, timeMs: 3_600_000 });
    onTestFinished(() => source.close());
    const pending = source.fetch(terms, { signal: stop.signal, isPaced: false });
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
  });
});
