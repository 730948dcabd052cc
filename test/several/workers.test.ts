/** @module-tag full */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { freeze } from '../support/freeze.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { connectionAt } from '../support/http/connections.ts';
import { pollOptions } from '../support/poll-options.ts';
import { type Sandbox, type Server, useSandbox, waitForUrl } from '../support/process.ts';
import { childrenOf, isRunning } from './children.ts';

const MIB = 1024 * 1024;
const byTwo = ['--workers', '2'];

async function useWorkers(args: readonly string[] = [], env: Record<string, string> = {}) {
  const sandbox = await useSandbox();
  const server = await sandbox.serve([...byTwo, ...args], env);
  return { sandbox, server, workers: childrenOf(server.pid) };
}

/** Returns the log entries with this message. */
const linesWith = ({ stderr }: Pick<Server, 'stderr'>, msg: string) =>
  stderr
    .split('\n')
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line));

/** Returns the ids of the workers that handled requests. */
const respondingWorkers = (server: Server) =>
  new Set(linesWith(server, 'request').map(({ worker }) => worker as number));

const ended = 'a worker ended: starting another one';

describe('a server with workers', () => {
  test('responds identically from two processes on a port, with one set of messages', async () => {
    const { server, workers } = await useWorkers();
    expect(workers).toHaveLength(2);
    const token = await logIn(server.url);
    const responses: string[] = [];
    for (let i = 0; i < 8; i += 1) {
      const { status, text, headers } = await sendRequest(`${server.url}/api/releases`, { token });
      responses.push(`${status} ${headers.etag} ${text}`);
    }
    expect(new Set(responses).size).toBe(1);
    await expect.poll(() => respondingWorkers(server).size).toBe(2);
    expect([...respondingWorkers(server)].toSorted()).toEqual(workers.toSorted());
    const end = await server.stop();
    expect(end.code).toBe(0);
    expect(end.stdout.match(/Created the first account/g)).toHaveLength(1);
    expect(end.stdout.match(/Catalog is at/g)).toHaveLength(1);
    for (const msg of ['serving', 'stopping: waiting for running requests', 'stopped']) {
      expect(linesWith(end, msg)).toHaveLength(1);
    }
    expect(linesWith(end, 'serving')).toMatchObject([{ workers: 2, port: server.port }]);
    expect(end.stderr).not.toMatch(/"level":[456]0/);
  });

  test("keeps the first admin's password out of the environment of workers", async () => {
    const { server, workers } = await useWorkers([], { CATALOG_ADMIN_PASSWORD: 'a pass-word' });
    await logIn(server.url, 'admin', 'a pass-word');
    for (const worker of workers) {
      const environment = await readFile(`/proc/${worker}/environ`, 'utf8');
      expect(environment).toContain('CATALOG_DATA=');
      expect(environment).not.toMatch(/a pass-word|ADMIN_PASSWORD/);
    }
  });

  test('runs a single process with --workers 1', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--workers', '1']);
    expect(childrenOf(server.pid)).toEqual([]);
  });

  test('checks only 10 of 30 wrong logins over all workers', async () => {
    const { server } = await useWorkers();
    const json = { username: 'admin', password: 'wrong' };
    const tries = Array.from({ length: 30 }, () =>
      sendRequest(`${server.url}/api/auth/login`, { json }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    await expect.poll(() => respondingWorkers(server).size).toBe(2);
  });

  test('takes the number of workers from CATALOG_WORKERS with --minimal', async () => {
    const sandbox = await useSandbox();
    const args = ['serve', '--minimal', '--host', '127.0.0.1', '--port', '0'];
    const server = sandbox.start(args, { CATALOG_WORKERS: '2' });
    const url = await waitForUrl(server);
    expect(childrenOf(server.pid)).toHaveLength(2);
    for (let i = 0; i < 4; i += 1) {
      expect((await sendRequest(`${url}/api/library`)).json).toMatchObject({ count: 0 });
    }
    server.kill('SIGINT');
    expect(await server.ended).toMatchObject({ code: 0, stdout: `Catalog is at ${url}\n` });
  });

  test('completes its running downloads on SIGTERM, and closes the database', async () => {
    const { sandbox, server } = await useArchive(8 * MIB);
    const token = await logIn(server.url);
    const downloads = await Promise.all([1, 2, 3, 4].map(() => slowDownload(server, token)));
    server.kill('SIGTERM');
    await expect.poll(() => server.stderr).toContain('stopping');
    for (const download of downloads) expect(await download.finish()).toBe(8 * MIB);
    expect((await server.ended).code).toBe(0);
    expect(existsSync(join(sandbox.data, 'catalog.db-wal'))).toBe(false);
  });

  test('stops at once on a second signal', async () => {
    const { server } = await useArchive(64 * MIB);
    const token = await logIn(server.url);
    for (let i = 0; i < 4; i += 1) await slowDownload(server, token);
    server.kill('SIGTERM');
    await expect.poll(() => server.stderr).toContain('stopping');
    // A signal soon after the first one counts as the same signal. The workers receive both signals
    // later. Send further signals until the server ends.
    let last = Date.now();
    const signalAgain = () => {
      if (Date.now() < last + 600) return server.hasEnded;
      server.kill('SIGTERM');
      last = Date.now();
      return false;
    };
    await expect.poll(signalAgain).toBe(true);
    expect((await server.ended).code).toBe(0);
  });

  test('keeps responding and starts a new worker when one is killed under load', async () => {
    const { server, workers } = await useWorkers();
    const [killed = 0, other = 0] = workers;
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      const failures: unknown[] = [];
      while (!isOver) {
        const response = await sendRequest(`${server.url}/api/health`).catch((error) =>
          failures.push(error),
        );
        if (typeof response === 'object') expect(response.status).toBe(200);
      }
      return failures;
    });
    await expect.poll(() => respondingWorkers(server).size).toBe(2);
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => linesWith(server, ended)).toHaveLength(1);
    expect(linesWith(server, ended)).toMatchObject([{ pid: killed, signal: 'SIGKILL', ms: 100 }]);
    const replaced = await vi.waitFor(() => {
      const [added = 0] = childrenOf(server.pid).filter((pid) => !workers.includes(pid));
      expect(added).toBeGreaterThan(0);
      return added;
    }, pollOptions);
    await expect.poll(() => [...respondingWorkers(server)]).toContain(replaced);
    isOver = true;
    // Each client lost at most one response, which the killed worker had not sent yet.
    for (const failures of await Promise.all(load)) expect(failures.length).toBeLessThanOrEqual(1);
    expect(childrenOf(server.pid).toSorted()).toEqual([other, replaced].toSorted());
    expect((await server.stop()).code).toBe(0);
  });

  test('closes accepted connections that a killed worker has not read', async () => {
    const { server, workers } = await useWorkers();
    await freeze(...workers);
    const sockets: Socket[] = [];
    for (let i = 0; i < 2; i += 1) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n');
      sockets.push(socket);
    }
    // Each worker is assigned a connection as soon as the connection is accepted. The workers are
    // killed before they read from their connections.
    for (const { localPort } of sockets) {
      await expect
        .poll(() => connectionAt(server.port, localPort))
        .toMatchObject({ isAccepted: true });
    }
    const closed = sockets.map(
      (socket) => new Promise((resolve) => socket.resume().once('close', resolve)),
    );
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    await Promise.all(closed);
  });

  test('ends its workers when its main process is killed', async () => {
    const { server, workers } = await useWorkers();
    server.kill('SIGKILL');
    await expect.poll(() => workers.filter(isRunning)).toEqual([]);
  });

  test('replaces a worker that was stopped by a signal', async () => {
    const { server, workers } = await useWorkers();
    process.kill(workers[0] ?? 0, 'SIGTERM');
    await expect.poll(() => linesWith(server, ended)).toHaveLength(1);
    expect(linesWith(server, ended)).toMatchObject([{ pid: workers[0], code: 0 }]);
    await expect.poll(() => childrenOf(server.pid)).toHaveLength(2);
    expect((await server.stop()).code).toBe(0);
  });

  test('adds up metrics of all workers, including ended ones', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    const { server, workers } = await useWorkers(['--metrics', address]);
    const counted = async () => {
      const { text } = await sendRequest(`http://${address}/metrics`);
      const line = /_count\{method="GET",route="\/api\/releases",status="200"\} (\d+)/.exec(text);
      return { text, count: Number(line?.[1]) };
    };
    for (let i = 0; i < 10; i += 1) await sendRequest(`${server.url}/api/releases`);
    await expect.poll(() => respondingWorkers(server).size).toBe(2);
    const { text, count } = await counted();
    expect(count).toBe(10);
    expect(text).toContain('catalog_queue_waiting{queue="read"} 0\n');
    expect(text).toMatch(/^catalog_free_bytes \d+$/m);
    process.kill(workers[0] ?? 0, 'SIGKILL');
    await expect.poll(() => linesWith(server, ended)).toHaveLength(1);
    await sendRequest(`${server.url}/api/releases`);
    expect((await counted()).count).toBe(11);
  });

  test('reports once why workers cannot start, and ends', async () => {
    const { sandbox, server } = await useWorkers();
    const taken = await sandbox.run(['serve', '--port', `${server.port}`, '--workers', '3'], {
      env: { CATALOG_HOST: '127.0.0.1' },
    });
    expect(taken).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `catalog: --port: port ${server.port} is in use, choose another one\n`,
    });
  });
});

async function useArchive(size: number): Promise<{ sandbox: Sandbox; server: Server }> {
  const sandbox = await useSandbox();
  await mkdir(join(sandbox.data, 'store/games'), { recursive: true });
  await writeFile(join(sandbox.data, 'store/games/large'), Buffer.alloc(size));
  return { sandbox, server: await sandbox.serve(byTwo) };
}

/**
 * Starts a download and reads only its beginning. `finish` reads the rest and returns the number of
 * bytes.
 */
async function slowDownload(server: Server, token: string) {
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  socket.write(
    `GET /api/store/download/games/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return {
    async finish() {
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk);
      const all = Buffer.concat(chunks);
      return all.length - all.indexOf('\r\n\r\n') - 4;
    },
  };
}
