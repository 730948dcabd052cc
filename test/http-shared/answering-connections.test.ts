import { once } from 'node:events';
import * as net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAnswering } from '../../src/http/shared/answering-connections.ts';
import { receiveFile } from '../../src/http/shared/multipart.ts';
import { startServer } from './server.ts';
import { FORM, filePart, form } from './upload-server.ts';

/** Of a connection on which nothing moves. */
const mostMs = 300;

let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
/** Bytes that were read of a body, and what runs when the first of them are there. */
let came = 0;
let onFirst = () => {};
beforeAll(async () => {
  server = await startServer();
  server.app.server.setTimeout(mostMs);
  server.app.server.keepAliveTimeout = mostMs;
  keepAnswering(server.app.server);
  server.app.post('/', async () => {
    await setTimeout(4 * mostMs);
    return 'late';
  });
  server.app.post('/raw', (request) => readSlowly(request.raw));
  server.app.post('/form', (request) =>
    receiveFile(request.raw, { take: (_name, bytes) => readSlowly(bytes), drop: async () => {} }),
  );
  port = await server.listen();
});
afterAll(() => server.stop());

/** Reads on when the time of the connection was over twice, as where a store takes long for what came first. */
async function readSlowly(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let size = 0;
  for await (const piece of bytes) {
    if (size === 0) {
      onFirst();
      for (let over = 0; over < 2; over += 1) await once(server.app.server, 'timeout');
    }
    size += piece.byteLength;
    came = size;
  }
  return `${size} bytes`;
}

/** All that the server says until it closes the connection. */
async function send(...parts: (string | Buffer)[]): Promise<string> {
  const client = net.connect(port, '127.0.0.1');
  for (const part of parts) client.write(part);
  return text(client);
}

const head = (size: number, path = '/') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${size}\r\n\r\n`;

test('an answer that is made for long comes, and then the connection is closed', async () => {
  expect(await send(head(0))).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
  expect(await send(`${head(4)}abcd`)).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
});

test('a connection without a request, or with half of one, is closed', async () => {
  expect(await send('')).toBe('');
  expect(await send('POST / HTTP/1.1\r\nHo')).toBe('');
  expect(await send(`${head(4, '/raw')}ab`)).toBe('');
});

test('a body that we do not read for long is read to its end', async () => {
  const bytes = Buffer.alloc(8 * 2 ** 20);
  const answer = new RegExp(`^HTTP/1.1 200 [\\s\\S]*${bytes.length} bytes$`);
  expect(await send(head(bytes.length, '/raw'), bytes)).toMatch(answer);
  const body = form(filePart('name="file"; filename="a.iso"', bytes));
  expect(await send(head(body.length, '/form'), body)).toMatch(answer);
});

test('a client that stood still while its body was not read is closed once it was', async () => {
  const client = net.connect(port, '127.0.0.1');
  came = 0;
  onFirst = () => client.write('b');
  client.write(`${head(4, '/raw')}a`);
  expect(await text(client)).toBe('');
  expect(came).toBe(2);
});
