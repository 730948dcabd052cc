import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { CatalogError, type ErrorKind } from '../../src/core/shared/errors.ts';
import { localArea } from '../../src/files/local/local-area.ts';

const STATUS: Partial<Record<ErrorKind, number>> = {
  invalid: 400,
  unprocessable: 422,
  unauthenticated: 401,
  'too-large': 413,
  unsupported: 415,
  range: 416,
  'storage-full': 507,
};

/**
 * Starts a real server on a free port, with an area in a new folder. The routes get request bodies
 * that were not read yet.
 */
export async function startServer(options: { headRoutes?: boolean; top?: string } = {}) {
  const top = fs.mkdtempSync(join(options.top ?? tmpdir(), 'catalog-http-'));
  const data = join(top, 'data');
  const folder = join(data, 'area');
  const tmp = join(data, 'tmp');
  const app = fastify({ exposeHeadRoutes: options.headRoutes ?? true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const status = error instanceof CatalogError ? STATUS[error.kind] : error.statusCode;
    return reply.code(status ?? 500).send({ detail: error.message });
  });
  return {
    app,
    folder,
    tmp,
    area: localArea({ folder, tmp }),
    async listen(): Promise<number> {
      await app.listen({ port: 0, host: '127.0.0.1' });
      return (app.server.address() as net.AddressInfo).port;
    },
    async stop() {
      app.server.closeAllConnections();
      await app.close();
      fs.rmSync(top, { recursive: true, force: true });
    },
  };
}

export interface ReceivedResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Sends one request on a separate connection. */
export function request(
  port: number,
  options: http.RequestOptions,
  body?: Buffer,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      { port, host: '127.0.0.1', agent: false, ...options },
      (response) => {
        buffer(response).then(
          (bytes) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          reject,
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Opens a TCP connection that collects the received bytes. */
export function connect(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return { socket, closed };
}

/** Waits until the operating system accepts no further bytes on these sockets. */
export async function waitUntilFull(
  sockets: () => readonly (net.Socket | undefined)[],
): Promise<void> {
  const written = () =>
    sockets().map((socket) =>
      socket?.writableLength ? socket.bytesWritten - socket.writableLength : -1,
    );
  let before: readonly number[] = [];
  for (let tries = 0; tries < 400; tries += 1) {
    const now = written();
    const isSame = now.every((bytes, index) => bytes >= 0 && bytes === before[index]);
    if (now.length > 0 && now.length === before.length && isSame) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the system took everything');
}

export const openFiles = () => fs.readdirSync('/proc/self/fd').length;
