import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useSource } from '../../covers/covers-fixture.ts';
import { failFiles } from '../../support/failing-files.ts';
import { bytesOfDats, bytesOfFirst, libretroZip } from './archive.ts';
import { useFetcher } from './fetch-fixture.ts';

const zip = libretroZip(300_000);
const half = Math.floor(zip.length / 2);

/** Sends the rest of the zip from a range on if the tag is still the same, else the whole zip. */
function sendZip(request: Parameters<RequestListener>[0], response: ServerResponse, tag = '"one"') {
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const isPart = from !== undefined && request.headers['if-range'] === tag;
  const start = isPart ? Number(from) : 0;
  if (isPart && start >= zip.length) {
    response.writeHead(416, { 'content-range': `bytes */${zip.length}` }).end();
    return;
  }
  const range = `bytes ${start}-${zip.length - 1}/${zip.length}`;
  response.writeHead(isPart ? 206 : 200, {
    etag: tag,
    'content-length': zip.length - start,
    ...(isPart && { 'content-range': range }),
  });
  response.end(zip.subarray(start));
}

/** Sends the first half and cuts the connection. */
function sendHalf(response: ServerResponse, headers: Record<string, string> = { etag: '"one"' }) {
  response.writeHead(200, { ...headers, 'content-length': zip.length });
  response.write(zip.subarray(0, half), () => response.destroy());
}

describe('the catalogue fetcher', () => {
  test('imports Redump, No-Intro and metadata of the libretro database in this order', async () => {
    const source = await useSource(sendZip);
    const fetched = await useFetcher(source.base);
    expect(await fetched.run()).toEqual({
      size: zip.length,
      files: 3,
      new: 2,
      changed: 0,
      filled: 1,
      refused: [],
    });
    const releases = await fetched.imports.list();
    expect(releases.map(({ name }) => name)).toEqual(['One', 'Two']);
    expect((await fetched.imports.get('One')).meta?.developer).toBe('Maker');
    const imported = await fetched.imports.catalog.imports.listImports(9, 0);
    expect(imported.map(({ counts }) => [counts.new, counts.joined, counts.filled])).toEqual([
      [0, 0, 1],
      [0, 1, 0],
      [2, 0, 0],
    ]);
    const phases = fetched.progress.map(({ phase }) => phase);
    expect(phases.indexOf('import')).toBe(phases.lastIndexOf('download') + 1);
    expect(fetched.progress.at(phases.lastIndexOf('download'))).toEqual({
      phase: 'download',
      done: zip.length,
      total: zip.length,
      name: '',
    });
    const last = fetched.progress.at(-1);
    expect(last).toMatchObject({ phase: 'import', done: last?.total });
    expect(last?.total).toBe(bytesOfDats);
    expect(fetched.hasBytes()).toBe(false);
  });

  test('reports progress during a slow download of unknown length', async () => {
    let resume = () => {};
    const source = await useSource(async (_request, response) => {
      for (let at = 0; at < zip.length; at += 100_000) {
        const taken = new Promise<void>((resolve) => {
          resume = resolve;
        });
        response.write(zip.subarray(at, at + 100_000));
        if (at + 100_000 < zip.length) await taken;
      }
      response.end();
    });
    const fetched = await useFetcher(source.base);
    let shown = 0;
    const report = await fetched.run({
      onProgress(next) {
        if (next.phase !== 'download' || next.done < shown + 100_000) return;
        shown += 100_000;
        resume();
      },
    });
    expect(report.files).toBe(3);
    expect(shown).toBe(300_000);
  });

  test('continues a cut download where it ended', async () => {
    const source = await useSource((request, response) =>
      source.requests.length === 1 ? sendHalf(response) : sendZip(request, response),
    );
    const fetched = await useFetcher(source.base);
    expect(await fetched.run()).toMatchObject({ size: zip.length, files: 3, refused: [] });
    expect(source.headers[0]).not.toHaveProperty('range');
    expect(source.headers[1]?.['if-range']).toBe('"one"');
    // The cut may lose bytes that were on their way.
    const [, from] = /^bytes=(\d+)-$/.exec(source.headers[1]?.range ?? '') ?? [];
    expect(Number(from)).toBeGreaterThan(0);
    expect(Number(from)).toBeLessThanOrEqual(half);
  });

  test.each([
    ['has changed', { etag: '"former"' }],
    ['has no tag', {}],
    ['has only a weak tag', { etag: 'W/"one"' }],
  ])('restarts a cut download if the file %s', async (_name, headers) => {
    const source = await useSource((request, response) =>
      source.requests.length === 1 ? sendHalf(response, headers) : sendZip(request, response),
    );
    const fetched = await useFetcher(source.base);
    expect(await fetched.run()).toMatchObject({ size: zip.length, files: 3, refused: [] });
    expect(source.requests).toHaveLength(2);
  });

  test('restarts a cut download if the server sends the rest of another file', async () => {
    const source = await useSource((request, response) => {
      if (source.requests.length === 1) return sendHalf(response);
      if (request.headers.range === undefined) return sendZip(request, response, '"two"');
      const from = Number(request.headers.range.slice('bytes='.length, -1));
      const range = `bytes ${from}-${zip.length - 1}/${zip.length}`;
      response.writeHead(206, { etag: '"two"', 'content-range': range });
      response.end(Buffer.alloc(zip.length - from, 'x'));
    });
    const fetched = await useFetcher(source.base);
    expect(await fetched.run()).toMatchObject({ size: zip.length, files: 3, refused: [] });
    expect(source.requests).toHaveLength(3);
  });

  test('continues a stopped download in the next run where it ended', async () => {
    const source = await useSource((request, response) => {
      if (source.requests.length > 1) return sendZip(request, response);
      response.writeHead(200, { etag: '"one"', 'content-length': zip.length });
      response.write(zip.subarray(0, half));
    });
    const fetched = await useFetcher(source.base);
    const stop = new AbortController();
    const stopped = fetched.run({
      signal: stop.signal,
      onProgress: (next) => next.done === half && stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(fetched.hasBytes()).toBe(true);
    expect(await fetched.run()).toMatchObject({ size: zip.length, files: 3 });
    expect(source.headers[1]?.range).toBe(`bytes=${half}-`);
  });

  test('resumes an interrupted import without another download or a repeated import', async () => {
    const source = await useSource(sendZip);
    const fetched = await useFetcher(source.base);
    const stop = new AbortController();
    const stopped = fetched.run({
      signal: stop.signal,
      onProgress: (next) =>
        next.phase === 'import' && next.done > bytesOfFirst && stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(fetched.step()?.files).toHaveLength(1);
    expect(await fetched.run({ step: fetched.step() })).toMatchObject({ files: 3, new: 2 });
    expect(source.requests).toHaveLength(1);
    expect(await fetched.imports.catalog.imports.listImports(9, 0)).toHaveLength(3);
    expect(fetched.hasBytes()).toBe(false);
  });

  test('keeps the zip and the earlier reports if the database is busy, and continues from them', {
    tags: ['full'],
  }, async () => {
    const source = await useSource(sendZip);
    const fetched = await useFetcher(source.base);
    const other = new Database(join(fetched.imports.data, 'catalog.db'));
    onTestFinished(() => void other.close());
    const onProgress = ({ phase, done }: { phase: string; done: number }) => {
      const isSecond = phase === 'import' && done > bytesOfFirst;
      if (isSecond && !other.inTransaction) other.exec('begin immediate');
    };
    await expect(fetched.run({ onProgress })).rejects.toMatchObject({ kind: 'busy' });
    other.exec('rollback');
    expect(await fetched.run({ step: fetched.step() })).toMatchObject({ files: 3, new: 2 });
    expect(source.requests).toHaveLength(1);
    expect(fetched.hasBytes()).toBe(false);
  });

  test('imports nothing if the zip cannot be flushed to the disk', async () => {
    const source = await useSource(sendZip);
    const fetched = await useFetcher(source.base);
    const failing = await failFiles(fetched.imports.folder, (_at, call) => call === 'sync');
    onTestFinished(failing.restore);
    await expect(fetched.run()).rejects.toThrow('EIO: sync');
    expect(fetched.step()).toBeNull();
  });

  test('checks with the server that a complete zip is unchanged before it is reused', async () => {
    const source = await useSource(sendZip);
    const fetched = await useFetcher(source.base);
    const stop = new AbortController();
    const onProgress = ({ phase }: { phase: string }) =>
      phase === 'import' && stop.abort(new Error('stopped'));
    await expect(fetched.run({ signal: stop.signal, onProgress })).rejects.toThrow('stopped');
    expect(await fetched.run()).toMatchObject({ size: zip.length, files: 3 });
    expect(source.headers[1]?.range).toBe(`bytes=${zip.length}-`);
  });

  test('retries a server that is busy or does not respond', async () => {
    const source = await useSource((request, response) => {
      if (source.requests.length === 1) response.writeHead(503).end();
      // The second request gets no response.
      else if (source.requests.length > 2) sendZip(request, response);
    });
    const fetched = await useFetcher(source.base, { idleMs: 300 });
    expect(await fetched.run()).toMatchObject({ files: 3 });
    expect(source.requests).toHaveLength(3);
  });

  test('fails with advice if the server is silent, cuts every response or refuses connections', async () => {
    const cutting = await useSource((_request, response) => sendHalf(response, {}));
    const fetched = await useFetcher(cutting.base);
    const advice = 'without it, download DATs on another machine and import them as files';
    await expect(fetched.run()).rejects.toThrow(`the connection was cut: aborted; ${advice}`);
    const silent = await useSource(() => undefined);
    const waiting = await useFetcher(silent.base, { idleMs: 100 });
    await expect(waiting.run()).rejects.toThrow(`it sent nothing for 0.1 s; ${advice}`);
    expect([cutting.requests.length, silent.requests.length]).toEqual([4, 4]);
    const gone = await useFetcher('http://127.0.0.1:1');
    await expect(gone.run()).rejects.toThrow(
      /could not download .*ECONNREFUSED 127.0.0.1:1; without/,
    );
  });

  const page = '<!doctype html><title>Sign in</title>';

  test.each<[string, RequestListener, string]>([
    ['404', (_, response) => response.writeHead(404).end(page), 'it answers 404'],
    ['403', (_, response) => response.writeHead(403).end(), 'it answers 403'],
    [
      'HTML',
      (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
      'it sends a web page instead of a zip',
    ],
    ['HTML without a type', (_, response) => response.end(page), 'it sends a web page'],
    ['a RAR', (_, response) => response.end('Rar!\x1a\x07'), 'it sends something else'],
    ['an empty body', (_, response) => response.end(), 'it sends something else'],
    [
      'gzip',
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(zip)),
      'encoded',
    ],
    [
      'a length over 1 GiB',
      (_, response) =>
        response.writeHead(200, { 'content-length': 1024 ** 3 + 1 }).write('PK\x03\x04'),
      'it sends more than 1073741824 bytes',
    ],
    [
      'a redirect to a private address',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.2/a.zip' }).end(),
      'it redirects to a private address (127.0.0.2)',
    ],
    [
      'a redirect to a file',
      (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'it redirects away from http(s)',
    ],
    [
      'endless redirects',
      ({ url }, response) => response.writeHead(302, { location: `${url}x` }).end(),
      'it redirects too often',
    ],
  ])('refuses a response with %s and keeps no bytes of it', async (_name, respond, reason) => {
    const source = await useSource(respond);
    const fetched = await useFetcher(source.base);
    await expect(fetched.run()).rejects.toThrow(reason);
    expect(source.requests.length).toBeLessThan(7);
    expect(fetched.hasBytes()).toBe(false);
  });

  test('closes the connection of a response whose length it refuses', async () => {
    const closed = Promise.withResolvers<void>();
    const source = await useSource((_request, response) => {
      void once(response, 'close').then(() => closed.resolve());
      response.writeHead(200, { 'content-length': 1024 ** 3 + 1 }).write('PK\x03\x04');
    });
    const fetched = await useFetcher(source.base);
    await expect(fetched.run()).rejects.toThrow('it sends more than');
    await closed.promise;
  });

  test('refuses a response that is larger than the limit and keeps no bytes of it', async () => {
    const source = await useSource((_request, response) => response.end(zip));
    const fetched = await useFetcher(source.base, { maxBytes: half });
    await expect(fetched.run()).rejects.toThrow(`it sends more than ${half} bytes`);
    expect(fetched.hasBytes()).toBe(false);
  });

  test('follows a redirect within the server', async () => {
    const source = await useSource((request, response) => {
      if (request.url === '/master.zip') response.writeHead(302, { location: '/real.zip' }).end();
      else sendZip(request, response);
    });
    const fetched = await useFetcher(source.base);
    expect(await fetched.run()).toMatchObject({ files: 3 });
    expect(source.requests).toEqual(['/master.zip', '/real.zip']);
  });

  test('fails with the reason if the zip is damaged, and downloads it again later', async () => {
    const source = await useSource((_request, response) =>
      response.end(source.requests.length === 1 ? zip.subarray(0, half) : zip),
    );
    const fetched = await useFetcher(source.base);
    await expect(fetched.run()).rejects.toThrow(/nothing in .* could be imported: /);
    expect(fetched.hasBytes()).toBe(false);
    expect(await fetched.run()).toMatchObject({ files: 3 });
  });
});
