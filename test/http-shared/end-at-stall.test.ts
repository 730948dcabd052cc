import type { Socket } from 'node:net';
import * as net from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendPieces } from '../../src/http/shared/files/send-pieces.ts';
import { startServer, waitUntilFull } from './server.ts';

const second = 1_000;
const piece = 'x'.repeat(65_536);

let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
/** `pieces` yields the content of the response. `socket` is the server's end of the connection. */
let pieces: () => AsyncGenerator<string>;
let socket: Socket;
let hasEnded = false;

beforeAll(async () => {
  server = await startServer();
  server.app.get('/', (request, reply) => {
    socket = request.raw.socket;
    return sendPieces(request, reply, pieces());
  });
  port = await server.listen();
});
afterAll(() => server.stop());

// The sockets are real. Only the clock of the stall check is fake.
beforeEach(() => {
  hasEnded = false;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => vi.useRealTimers());

async function* endless() {
  try {
    for (;;) yield piece;
  } finally {
    hasEnded = true;
  }
}

/** Returns a client that has sent a request. The client reads nothing until it is resumed. */
function requestAndPause(): net.Socket {
  const client = net.connect(port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return client;
}

describe('the stream of a response', () => {
  test('disconnects a client that reads nothing for a minute, and stops producing', async () => {
    pieces = endless;
    const client = requestAndPause();
    await waitUntilFull(() => [socket]);
    vi.advanceTimersByTime(60 * second);
    expect(socket.destroyed).toBe(false); // the first check may have been up to five seconds ago
    vi.advanceTimersByTime(5 * second);
    expect(socket.destroyed).toBe(true);
    await expect.poll(() => hasEnded).toBe(true);
    client.destroy();
  });

  test('continues for a client that reads some bytes at least once a minute', async () => {
    pieces = endless;
    const client = requestAndPause();
    for (let minute = 0; minute < 5; minute += 1) {
      await waitUntilFull(() => [socket]);
      vi.advanceTimersByTime(50 * second);
      const before = socket.bytesWritten;
      client.resume();
      await expect.poll(() => socket.bytesWritten).toBeGreaterThan(before);
      client.pause();
      vi.advanceTimersByTime(5 * second);
    }
    expect(socket.destroyed).toBe(false);
    client.destroy();
    await expect.poll(() => hasEnded).toBe(true);
  });

  test('keeps the connection while the next piece takes ten minutes to produce', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    pieces = async function* slow() {
      yield 'first';
      yield 'second';
      await held;
      yield 'third';
    };
    const client = net.connect(port, '127.0.0.1');
    let received = '';
    client.on('data', (chunk) => {
      received += chunk;
    });
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await expect.poll(() => received).toContain('second');
    vi.advanceTimersByTime(600 * second);
    release();
    await expect.poll(() => received).toMatch(/third[\s\S]*0\r\n\r\n$/);
  });

  test('responds with an error when producing fails before the second piece', async () => {
    pieces = async function* failing() {
      yield 'first';
      throw new Error('too busy');
    };
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, await response.json()]).toEqual([500, { detail: 'too busy' }]);
  });
});
