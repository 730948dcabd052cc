import * as net from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAnswering } from '../../src/http/shared/answering-connections.ts';
import { startServer } from './server.ts';

/** Of a connection on which nothing moves. */
const mostMs = 100;

let server: Awaited<ReturnType<typeof startServer>>;
let port: number;
beforeAll(async () => {
  server = await startServer();
  server.app.server.setTimeout(mostMs);
  server.app.server.keepAliveTimeout = mostMs;
  keepAnswering(server.app.server);
  server.app.post('/', async () => {
    await setTimeout(4 * mostMs);
    return 'late';
  });
  port = await server.listen();
});
afterAll(() => server.stop());

/** All that the server says until it closes the connection. */
async function send(bytes: string): Promise<string> {
  const client = net.connect(port, '127.0.0.1');
  client.write(bytes);
  return text(client);
}

const head = (size: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`;

test('an answer that is made for long comes, and then the connection is closed', async () => {
  expect(await send(head(0))).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
  expect(await send(`${head(4)}abcd`)).toMatch(/^HTTP\/1.1 200 [\s\S]*late$/);
});

test('a connection without a request, or with half of one, is closed', async () => {
  expect(await send('')).toBe('');
  expect(await send('POST / HTTP/1.1\r\nHo')).toBe('');
  expect(await send(`${head(4)}ab`)).toBe('');
});
