import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import * as net from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chunkBody } from '../../src/http/shared/bodies/chunk-body.ts';
import { receiveFile } from '../../src/http/shared/bodies/multipart.ts';
import { startServer } from './server.ts';
import { FORM, filePart, form } from './upload-server.ts';

const second = 1_000;
const body = form(filePart('name="file"; filename="a.zip"', Buffer.alloc(4 * 1_048_576)));

let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
/**
 * `raw` is the request that the server reads, and `taken` is the number of bytes read. The server
 * waits for `readAllowed` before it reads further bytes.
 */
let raw: IncomingMessage;
let taken = 0;
let readAllowed: Promise<void>;

beforeAll(async () => {
  server = await startServer();
  const take = async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const piece of bytes) {
      taken += piece.length;
      await readAllowed;
    }
    return {};
  };
  server.app.post('/form', (request) => {
    raw = request.raw;
    return receiveFile(raw, { receive: (_name, bytes) => take(bytes), discard: async () => {} });
  });
  server.app.post('/chunk', (request) => {
    raw = request.raw;
    return take(chunkBody(raw).bytes);
  });
  port = await server.listen();
});
afterAll(() => server.stop());

// The sockets are real. Only the clock of the speed check is fake.
beforeEach(() => {
  taken = 0;
  readAllowed = Promise.resolve();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => vi.useRealTimers());

describe.each(['/form', '/chunk'])('an upload to %s', (path) => {
  /** Connects a client and sends the header and the first bytes of an upload. */
  async function begin(bytes: number) {
    const client = net.connect(port, '127.0.0.1').on('error', () => {});
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Content-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    let sent = 0;
    const send = async (count: number) => {
      const before = taken;
      client.write(body.subarray(sent, sent + count));
      sent += count;
      await vi.waitUntil(() => taken > before, { timeout: 20_000 });
    };
    await send(bytes);
    return { client, send, rest: () => client.write(body.subarray(sent)) };
  }

  test('is aborted when it delivers less than 1 KiB/s over a minute', async () => {
    const { send } = await begin(200);
    vi.advanceTimersByTime(30 * second);
    await send(59 * 1_024);
    vi.advanceTimersByTime(29 * second);
    expect(raw.destroyed).toBe(false);
    vi.advanceTimersByTime(60 * second);
    expect(raw.destroyed).toBe(true);
  });

  test('continues when it delivers 1 KiB/s', async () => {
    const { send, client } = await begin(200);
    for (let minute = 0; minute < 5; minute += 1) {
      await send(60 * 1_024);
      vi.advanceTimersByTime(60 * second);
    }
    expect(raw.destroyed).toBe(false);
    client.destroy();
  });

  test('continues while the server is slow to read the body', async () => {
    const { promise, resolve: resumeReading } = Promise.withResolvers<void>();
    readAllowed = promise;
    const { rest, client } = await begin(200);
    rest();
    await vi.waitUntil(() => raw.readableLength > 0, { timeout: 20_000 });
    vi.advanceTimersByTime(600 * second);
    expect(raw.destroyed).toBe(false);
    resumeReading();
    const [response] = await once(client, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
