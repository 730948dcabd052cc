import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Arrival } from '../../src/core/shared/arrival.ts';
import { Arrivals } from '../../src/http/shared/arrivals.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
let server: Server;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** A server that answers at once, the arrivals of its requests, and connections to it. */
async function start(connections: number): Promise<Arrival[]> {
  const seen: Arrival[] = [];
  server = createServer();
  const arrivals = new Arrivals(server);
  server.on('request', (request, response) => {
    seen.push(arrivals.of(request));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return seen;
}

/** Sends this over each of the connections, in one turn, and waits for the answers. */
async function send(over: readonly Socket[], text: string, answers: number): Promise<void> {
  const ends = over.map(async (socket) => {
    let got = '';
    for await (const [piece] of on(socket)) {
      got += piece;
      if (got.split('HTTP/1.1 200').length > answers) return;
    }
  });
  for (const socket of over) socket.write(text);
  await Promise.all(ends);
}

async function* on(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, 'data')) as [Buffer];
}

test('requests that are there together arrive together, and later ones do not', async () => {
  const seen = await start(5);
  // What one turn sends over five connections is there when the next one looks.
  await send(sockets, request, 1);
  expect(new Set(seen).size).toBeLessThan(5);
  const [before] = seen;
  seen.length = 0;
  await send(sockets.slice(0, 1), request, 1);
  expect(seen).not.toContain(before);
});

test('each request that a connection sends behind another arrives by itself', async () => {
  const seen = await start(1);
  await send(sockets, request.repeat(3), 3);
  expect(new Set(seen).size).toBe(3);
});

test('what a connection sends behind a body arrives by itself, though it is the first of its turn', async () => {
  const seen = await start(2);
  const [one, another] = sockets as [Socket, Socket];
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n';
  await send([one], head, 1);
  seen.length = 0;
  // What is there of the connection when the other one is looked at may be the end of the body alone.
  await Promise.all([send([another], request, 1), send([one], `abc${request}`, 1)]);
  expect(new Set(seen).size).toBe(2);
  for (let turn = 0; turn < 20 && new Set(seen).size === seen.length; turn += 1) {
    await send(sockets, request, 1);
  }
  expect(new Set(seen).size).toBeLessThan(seen.length);
});

test('nothing is said of more connections than the system tells of at once', async () => {
  const seen = await start(1_001);
  await send(sockets.slice(0, 5), request, 1);
  expect(new Set(seen).size).toBe(5);
});
