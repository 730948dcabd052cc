import { once } from 'node:events';
import * as net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiveFile } from '../../src/http/shared/bodies/multipart.ts';
import { exemptFromIdleTimeout } from '../../src/http/shared/server/connections.ts';
import { startServer } from './server.ts';
import { FORM, filePart, form } from './upload-server.ts';

/** Timeout of an idle connection, in milliseconds. */
const maxMs = 300;

let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
/**
 * `receivedBytes` is the number of bytes read from a body. `onFirst` is called when the first
 * bytes have been read.
 */
let receivedBytes = 0;
let onFirst = () => {};
beforeAll(async () => {
  server = await startServer();
  server.app.server.setTimeout(maxMs);
  server.app.server.keepAliveTimeout = maxMs;
  exemptFromIdleTimeout(server.app.server);
  server.app.post('/', async () => {
    await setTimeout(4 * maxMs);
    return 'late';
  });
  server.app.post('/raw', (request) => readSlowly(request.raw));
  server.app.post('/form', (request) =>
    receiveFile(request.raw, {
      receive: (_name, bytes) => readSlowly(bytes),
      discard: async () => {},
    }),
  );
  port = await server.listen();
});
afterAll(() => server.stop());

/**
 * Reads the first piece of a body, waits for two connection timeouts like a slow store, and reads
 * the rest.
 */
async function readSlowly(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let size = 0;
  for await (const piece of bytes) {
    if (size === 0) {
      onFirst();
      for (let over = 0; over < 2; over += 1) await once(server.app.server, 'timeout');
    }
    size += piece.byteLength;
    receivedBytes = size;
  }
  return `${size} bytes`;
}

/** Sends the parts. Returns everything that the server sends until it closes the connection. */
async function send(...parts: (string | Buffer)[]): Promise<string> {
  const client = net.connect(port, '127.0.0.1');
  for (const part of parts) client.write(part);
  return text(client);
}

const head = (size: number, path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${size}\r\n\r\n`;

describe('a server with an idle timeout', () => {
  test('sends a response that takes longer than the timeout, and then closes the connection', {
    tags: ['full'],
  }, async () => {
    expect(await send(head(0))).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
    expect(await send(`${head(4)}abcd`)).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
  });

  test('closes a connection with no request or an incomplete one', async () => {
    expect(await send('')).toBe('');
    expect(await send('POST / HTTP/1.1\r\nHo')).toBe('');
    expect(await send(`${head(4, '/raw')}ab`)).toBe('');
  });

  test('reads a body to its end after pausing for longer than the timeout', {
    tags: ['full'],
  }, async () => {
    const bytes = Buffer.alloc(8 * 2 ** 20);
    const response = new RegExp(`^HTTP/1.1 200 [\\s\\S]*${bytes.length} bytes$`);
    expect(await send(head(bytes.length, '/raw'), bytes)).toMatch(response);
    const body = form(filePart('name="file"; filename="a.iso"', bytes));
    expect(await send(head(body.length, '/form'), body)).toMatch(response);
  });

  test('reads all bytes that a stalled client sent, and then closes the connection', async () => {
    const client = net.connect(port, '127.0.0.1');
    receivedBytes = 0;
    onFirst = () => client.write('b');
    client.write(`${head(4, '/raw')}a`);
    expect(await text(client)).toBe('');
    expect(receivedBytes).toBe(2);
  });
});
