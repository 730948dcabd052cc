import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect, openFiles, request } from './server.ts';
import { FORM, startUploadServer } from './upload-server.ts';

let server: Awaited<ReturnType<typeof startUploadServer>>;
let port: number;
beforeAll(async () => {
  server = await startUploadServer();
  server.app.get('/', () => ({ ok: true }));
  port = await server.listen();
});
afterAll(() => server.stop());

const head = (length: number, path = '/401') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${length}\r\n\r\n`;

describe('a response that is sent before the request body was read', () => {
  // The sockets are real. Only the clock of the body timeout is fake.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('reaches a client that first sends 25 MB', async () => {
    for (let i = 0; i < 5; i++) {
      const response = await request(
        port,
        { path: '/401', method: 'POST' },
        Buffer.alloc(25_000_000),
      );
      expect(response.status).toBe(401);
      expect(response.headers).toMatchObject({ connection: 'close', 'content-length': '30' });
      expect(response.body.toString()).toBe('{"detail":"not authenticated"}');
    }
  });

  test('arrives before the body, and the connection closes after the body', async () => {
    const { socket, closed } = connect(port);
    socket.write(head(100));
    const first = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(first)).toMatch(/^HTTP\/1.1 401[\s\S]*\{"detail":"not authenticated"\}$/);
    socket.write(Buffer.alloc(100));
    await closed; // before the body timeout of 10 s has started
  });

  test('is followed by up to 32 MiB of the body, and then the connection is closed', async () => {
    const { socket, closed } = connect(port);
    socket.write(head(2 ** 40));
    let sent = 0;
    while (!socket.destroyed && sent < 2 ** 28) {
      const piece = Buffer.alloc(1_000_000);
      if (!socket.write(piece)) {
        await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
      }
      sent += piece.length;
    }
    await closed;
    expect(sent).toBeGreaterThan(32 * 1024 * 1024);
    expect(sent).toBeLessThan(48 * 1024 * 1024);
  });

  test('is followed by up to 10 s of reading, and then the connection is closed', async () => {
    const accepted = once(server.app.server, 'connection');
    const { socket, closed } = connect(port);
    socket.write(head(1_000_000));
    const [serverEnd] = (await accepted) as [Socket];
    await once(socket, 'data'); // the response has arrived; next, the server drains the body
    while (vi.getTimerCount() === 0) await nextTurn();
    vi.advanceTimersByTime(9_999);
    await nextTurn();
    expect([serverEnd.writableEnded, serverEnd.destroyed]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect(await closed).toContain('401');
  });

  test('leaks no file descriptors when clients disconnect during their bodies', async () => {
    const before = openFiles();
    for (let i = 0; i < 100; i++) {
      const { socket, closed } = connect(port);
      socket.write(head(1_000_000));
      socket.write(Buffer.alloc(1_000 * i), () => socket.destroy());
      await closed;
    }
    expect((await request(port, { path: '/' })).status).toBe(200);
    expect(openFiles()).toBeLessThan(before + 20);
  });
});

describe('a persistent connection', () => {
  test('stays open after a request without a body or with one already received', async () => {
    const { socket, closed } = connect(port);
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(`${get}${head(5)}12345${get}${get}`);
    let responses = '';
    socket.on('data', (piece) => {
      responses += piece;
    });
    const hasAllResponses = () => responses.match(/HTTP\/1.1 /g)?.length === 4;
    await vi.waitUntil(hasAllResponses, { timeout: 20_000 });
    socket.end();
    const received = await closed;
    expect(received.match(/HTTP\/1.1 200/g)).toHaveLength(3);
    expect(received.match(/HTTP\/1.1 401/g)).toHaveLength(1);
    expect(received).not.toMatch(/connection: close/i);
  });
});
