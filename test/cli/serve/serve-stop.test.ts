import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { bytesIn } from '../../support/bytes-in.ts';
import { freePort } from '../../support/free-port.ts';
import { formAround, logIn } from '../../support/http/client.ts';
import { isListening } from '../../support/http/connections.ts';
import { type Sandbox, type Server, useSandbox } from '../../support/process.ts';

const MIB = 1024 * 1024;
/**
 * A stop timeout that exceeds the timeout of the tests. If the server waits for this timeout, the
 * test fails.
 */
const endless = { CATALOG_STOP_S: '3600' };

describe('catalog serve', () => {
  for (const [signal, tags] of [
    ['SIGTERM', []],
    ['SIGINT', ['full']],
  ] as const) {
    test(`finishes running transfers, refuses new requests and exits with 0 on ${signal}`, {
      tags: [...tags],
    }, async () => {
      const { sandbox, server, token } = await serveArchive(8 * MIB, endless);
      const download = await slowDownload(server, token);
      const upload = await slowUpload(sandbox, server, token, 4 * MIB);
      const keptAlive = await openKeptAlive(server);
      const silent = await open(server);
      silent.stream.resume();
      server.kill(signal);
      await expect.poll(() => server.stderr).toContain('stopping');
      // the server logs the line before it closes the port
      await expect.poll(() => isRefused(server)).toBe(true);
      await expect.poll(() => [keptAlive.isClosed, silent.isClosed]).toEqual([true, true]);
      // The client has sent and read nothing on the two transfers since the signal.
      expect(await download.finish()).toBe(8 * MIB);
      expect(await upload.finish()).toMatch(/^HTTP\/1\.1 200 /);
      const { code, stderr } = await server.ended;
      expect(code).toBe(0);
      expect(stderr).not.toMatch(/"level":[456]0/);
      await expectCleanStop(sandbox);
      expect(await readdir(join(sandbox.data, 'store/games'))).toEqual(['large', 'upload.iso']);
    });
  }

  test('refuses a request on a running connection with 503 while it stops', async () => {
    const { server, token } = await serveArchive(8 * MIB);
    const socket = await open(server);
    socket.write(downloadHead(token));
    await once(socket.stream, 'readable');
    server.kill('SIGTERM');
    await expect.poll(() => server.stderr).toContain('stopping');
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = (await socket.readAll()).toString('latin1');
    expect(text.slice(8 * MIB)).toMatch(/HTTP\/1\.1 503 [\s\S]*"server is stopping"/);
    expect(text.slice(8 * MIB)).toMatch(/\r\nconnection: close\r\n/i);
    expect((await server.ended).code).toBe(0);
  });

  test('exits without waiting for idle connections', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve([], endless);
    for (let i = 0; i < 20; i++) await (i % 2 ? openKeptAlive(server) : open(server));
    expect((await server.stop()).code).toBe(0);
    await expectCleanStop(sandbox);
  });

  test('aborts transfers after CATALOG_STOP_S, leaves no temporary files, and exits with 0', {
    tags: ['full'],
  }, async () => {
    const { sandbox, server, token } = await serveArchive(64 * MIB, { CATALOG_STOP_S: '1' });
    await slowDownload(server, token);
    const upload = await slowUpload(sandbox, server, token, 4 * MIB);
    const half = await open(server);
    half.write('GET /api/health HTTP/1.1\r\nHo');
    const { code, stderr } = await server.stop();
    expect(code).toBe(0);
    await expect.poll(() => upload.socket.isClosed).toBe(true);
    expect(stderr).not.toMatch(/"level":[56]0/);
    await expectCleanStop(sandbox);
  });

  test('stops at once at a second signal', { tags: ['full'] }, async () => {
    const { sandbox, server, token } = await serveArchive(64 * MIB, endless);
    await slowDownload(server, token);
    await slowUpload(sandbox, server, token, 4 * MIB);
    server.kill('SIGTERM');
    await expect.poll(() => server.stderr).toContain('"stopping: ');
    const [stopping = ''] = /.*"stopping: .*/.exec(server.stderr) ?? [];
    // A second signal within half a second counts as the same signal, so wait longer.
    const from = Date.parse(JSON.parse(stopping).time) + 510;
    await expect.poll(() => Date.now()).toBeGreaterThan(from);
    server.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
    await expectCleanStop(sandbox);
  });

  test('exits with 0 and an intact database at a signal during the start', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const port = await freePort();
    const data = (name: string) => join(sandbox.folder, name);
    const moments: readonly (readonly [string, () => unknown])[] = [
      ['spawned', () => true],
      ['creates', () => existsSync(join(data('creates'), 'catalog.db'))],
      ['opened', () => existsSync(join(data('opened'), 'catalog.db-wal'))],
      ['listens', () => isListening(port)],
    ];
    for (const [name, hasReached] of moments) {
      const args = ['serve', '--host', '127.0.0.1', '--port', `${port}`, '--data', data(name)];
      const program = sandbox.start(args);
      await expect.poll(hasReached).toBe(true);
      program.kill('SIGTERM');
      const { code, signal, stderr } = await program.ended;
      // Before the program is loaded, Node's default signal handling ends the process.
      expect([name, code, signal]).toEqual(
        name === 'spawned' && code === null ? [name, null, 'SIGTERM'] : [name, 0, null],
      );
      expect(stderr).not.toMatch(/"level":[456]0|should not happen/);
    }
    for (const name of ['creates', 'opened', 'listens']) {
      const database = new Database(join(data(name), 'catalog.db'));
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
    }
    const again = await sandbox.serve(['--data', data('creates')]);
    expect((await again.stop()).code).toBe(0);
  });
});

function isRefused(server: Server): Promise<boolean> {
  return open(server).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  );
}

/** The client's side of a connection. */
interface Client {
  readonly stream: Socket;
  readonly isClosed: boolean;
  write(bytes: string | Buffer): void;
  /** Reads until the server closes the connection. Returns all bytes. */
  readAll(): Promise<Buffer>;
}

async function open(server: Server): Promise<Client> {
  const stream = connect(server.port, '127.0.0.1');
  await once(stream, 'connect');
  let isClosed = false;
  stream
    .on('error', () => {})
    .on('end', close)
    .on('close', close);
  function close() {
    isClosed = true;
  }
  return {
    stream,
    get isClosed() {
      return isClosed;
    },
    write: (bytes) => void stream.write(bytes),
    async readAll() {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** Opens a connection and waits for a first response. The connection is kept alive. */
async function openKeptAlive(server: Server): Promise<Client> {
  const client = await open(server);
  client.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client.stream, 'data');
  return client;
}

function downloadHead(token: string): string {
  return `GET /api/store/download/games/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

/**
 * Starts a download and reads only its beginning. `finish` reads the rest and returns the total
 * size.
 */
async function slowDownload(server: Server, token: string) {
  const socket = await open(server);
  socket.write(downloadHead(token));
  await once(socket.stream, 'readable');
  return {
    async finish() {
      const all = await socket.readAll();
      return all.length - all.indexOf('\r\n\r\n') - 4;
    },
  };
}

/** Starts an upload and sends half of it. `finish` sends the rest and returns the response. */
async function slowUpload({ data }: Sandbox, server: Server, token: string, size: number) {
  const { head, tail, type } = formAround('upload.iso');
  const socket = await open(server);
  socket.write(
    `POST /api/store/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${head.length + size + tail.length}\r\n\r\n${head}`,
  );
  const half = Buffer.alloc(size / 2);
  socket.write(half);
  await expect.poll(() => bytesIn(join(data, 'tmp'))).toBeGreaterThan(0);
  return {
    socket,
    async finish() {
      socket.write(half);
      socket.write(tail);
      return (await socket.readAll()).toString();
    },
  };
}

async function serveArchive(size: number, env: Record<string, string> = {}) {
  const sandbox = await useSandbox();
  await mkdir(join(sandbox.data, 'store/games'), { recursive: true });
  await writeFile(join(sandbox.data, 'store/games/large'), '');
  await truncate(join(sandbox.data, 'store/games/large'), size);
  const server = await sandbox.serve([], env);
  return { sandbox, server, token: await logIn(server.url) };
}

/** Expects that the database is a single closed file and that no unfinished work is left. */
async function expectCleanStop({ data }: Sandbox): Promise<void> {
  expect(existsSync(join(data, 'catalog.db-wal'))).toBe(false);
  expect(existsSync(join(data, 'catalog.db-shm'))).toBe(false);
  if (existsSync(join(data, 'tmp'))) expect(await readdir(join(data, 'tmp'))).toEqual([]);
}
