import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendFile } from '../../src/http/shared/files/send-file.ts';
import { store } from '../contract/suites/file-area.ts';
import { connect, openFiles, request, startServer } from './server.ts';

const BYTES = randomBytes(300_001);

describe.each([true, false])('sendFile with HEAD routes of Fastify: %s', (headRoutes) => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let port: number;
  let etag: string;
  let modified: string;
  const started: string[] = [];
  beforeAll(async () => {
    server = await startServer({ headRoutes });
    server.app.route<{ Params: { name: string } }>({
      method: headRoutes ? 'GET' : ['GET', 'HEAD'],
      url: '/:name',
      async handler(request, reply) {
        const file = await server.area.open(request.params.name);
        if (file === null) return reply.code(404).send({ detail: 'not found' });
        return sendFile(request, reply, file, {
          type: 'application/x-test',
          attachment: file.name,
          onStart: () => {
            started.push(file.name);
            if (file.name === 'refused') throw new Error('no event, no download');
          },
        });
      },
    });
    port = await server.listen();
    etag = (await store(server.area, 'a', BYTES)).etag;
    await store(server.area, 'empty', '');
    await store(server.area, 'refused', 'x');
    modified = String((await request(port, { path: '/a' })).headers['last-modified']);
  });
  afterAll(() => server.stop());

  async function get(headers: Record<string, string> = {}, method = 'GET', path = '/a') {
    started.length = 0;
    const response = await request(port, { path, method, headers });
    return { ...response, starts: started.length };
  }

  test('sends a file whole with its header fields', async () => {
    const { status, headers, body, starts } = await get();
    expect({ status, starts }).toEqual({ status: 200, starts: 1 });
    expect(body.equals(BYTES)).toBe(true);
    expect(headers).toMatchObject({
      'content-length': '300001',
      'content-type': 'application/x-test',
      'content-disposition': 'attachment; filename="a"',
      'accept-ranges': 'bytes',
      etag,
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
    const { mtimeMs } = fs.statSync(join(server.folder, 'a'));
    expect(Date.parse(modified)).toBe(Math.floor(mtimeMs / 1000) * 1000);
  });

  test('responds to HEAD with the same header fields, but no body or download', async () => {
    const whole = await get();
    for (const extra of [{}, { range: 'bytes=0-9' }]) {
      const { status, headers, body, starts } = await get(extra, 'HEAD');
      expect({ status, starts, body: body.length }).toEqual({ status: 200, starts: 0, body: 0 });
      const { date: _1, ...fields } = headers;
      const { date: _2, ...wholeFields } = whole.headers;
      expect(fields).toEqual(wholeFields);
    }
    expect((await get({}, 'HEAD', '/empty')).headers['content-length']).toBe('0');
    expect((await get({ 'if-none-match': '*' }, 'HEAD')).status).toBe(304);
  });

  test('sends an empty file, and responds with 416 to a range of it', async () => {
    const { status, headers, body, starts } = await get({}, 'GET', '/empty');
    expect({ status, starts, body: body.length }).toEqual({ status: 200, starts: 1, body: 0 });
    expect(headers['content-length']).toBe('0');
    const part = await get({ range: 'bytes=0-' }, 'GET', '/empty');
    expect(part.status).toBe(416);
    expect(part.headers['content-range']).toBe('bytes */0');
  });

  // columns: range, start, end, number of downloads that start
  const PARTS: [string, number, number, number][] = [
    ['bytes=0-', 0, 300_000, 1],
    ['bytes=0-0', 0, 0, 1],
    ['bytes=1-1', 1, 1, 0],
    ['bytes=65536-131072', 65_536, 131_072, 0],
    ['bytes=300000-', 300_000, 300_000, 0],
    ['bytes=-1', 300_000, 300_000, 0],
    ['bytes=-999999999', 0, 300_000, 1],
    [`bytes=5-${'9'.repeat(300)}`, 5, 300_000, 0],
  ];
  test.each(PARTS)('sends only the range %s', async (range, start, end, starts) => {
    const response = await get({ range });
    expect({ status: response.status, starts: response.starts }).toEqual({ status: 206, starts });
    expect(response.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/300001`,
      'content-length': String(end - start + 1),
      etag,
    });
    expect(response.body.equals(BYTES.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=300001-', 'bytes=-0', `bytes=${'9'.repeat(300)}-`])(
    'responds with 416 to range %s',
    async (range) => {
      const { status, headers, body, starts } = await get({ range });
      expect({ status, starts }).toEqual({ status: 416, starts: 0 });
      expect(headers['content-range']).toBe('bytes */300001');
      expect(headers).not.toHaveProperty('etag');
      expect(JSON.parse(body.toString())).toHaveProperty('detail');
    },
  );

  test.each(['bytes=0-1,5-6', 'bytes=5-4', 'lines=1-2', 'bytes=x-'])(
    'ignores range %s and sends the whole file',
    async (range) => {
      const { status, body, starts } = await get({ range });
      expect({ status, size: body.length, starts }).toEqual({
        status: 200,
        size: 300_001,
        starts: 1,
      });
    },
  );

  test.each<[() => string, number]>([
    [() => etag, 206],
    [() => ` ${etag} `, 206],
    [() => modified, 206],
    [() => `W/${etag}`, 200],
    [() => '"other"', 200],
    [() => '*', 200],
    [() => 'nonsense', 200],
    [() => new Date(Date.parse(modified) + 1000).toUTCString(), 200],
    [() => new Date(Date.parse(modified) - 1000).toUTCString(), 200],
  ])('follows If-Range, row %#', async (value, status) => {
    const response = await get({ range: 'bytes=2-3', 'if-range': value() });
    expect(response.status).toBe(status);
    expect(response.body.length).toBe(status === 206 ? 2 : 300_001);
  });

  const asctime = () => {
    const [day, date, month, year, time] = modified.split(/,? /);
    return `${day} ${month} ${String(Number(date)).padStart(2)} ${time} ${year}`;
  };
  test.each<[Record<string, () => string>, number]>([
    [{ 'if-none-match': () => etag }, 304],
    [{ 'if-none-match': () => `W/${etag}` }, 304],
    [{ 'if-none-match': () => `"x", W/"y",${etag}` }, 304],
    [{ 'if-none-match': () => '*' }, 304],
    [{ 'if-none-match': () => '"x"' }, 200],
    [{ 'if-none-match': () => etag.replaceAll('"', '') }, 200],
    [{ 'if-none-match': () => '' }, 200],
    [{ 'if-none-match': () => etag, range: () => 'bytes=0-1' }, 304],
    [{ 'if-none-match': () => '"x"', 'if-modified-since': () => modified }, 200],
    [{ 'if-modified-since': () => modified }, 304],
    [{ 'if-modified-since': asctime }, 304],
    [{ 'if-modified-since': () => new Date(Date.now() + 1e8).toUTCString() }, 304],
    [{ 'if-modified-since': () => new Date(Date.parse(modified) - 1000).toUTCString() }, 200],
    [{ 'if-modified-since': () => '0' }, 200],
    [{ 'if-modified-since': () => 'Sunday, 06-Nov-94 08:49:37 GMT' }, 200],
  ])('follows If-None-Match and If-Modified-Since, row %#', async (headers, status) => {
    const given = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value()]),
    );
    const response = await get(given);
    expect({ status: response.status, starts: response.starts }).toEqual({
      status,
      starts: status === 304 ? 0 : 1,
    });
    if (status === 304) {
      expect(response.headers).toMatchObject({ etag, 'last-modified': modified });
      expect(response.body).toHaveLength(0);
    }
  });

  test('sends no file and closes it when the download cannot be recorded', async () => {
    await get();
    const before = openFiles();
    const refused = await get({}, 'GET', '/refused');
    expect(refused.status).toBe(500);
    expect(refused.headers).not.toHaveProperty('content-disposition');
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  });

  test('closes the file when the client disconnects before or during the response', async () => {
    await store(server.area, 'large', Buffer.alloc(20_000_000));
    await get();
    const before = openFiles();
    for (let i = 0; i < 100; i++) {
      const { socket, closed } = connect(port);
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
      if (i % 2 === 0) await new Promise((resolve) => socket.once('readable', resolve));
      socket.destroy();
      await closed;
    }
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  });
});
