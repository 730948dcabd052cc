import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import {
  type ClientRequestOptions,
  type ClientResponse,
  fileForm,
  formAround,
  logIn,
  sendRequest,
} from '../support/http/client.ts';
import { pollOptions } from '../support/poll-options.ts';
import { type Server, useSandbox } from '../support/process.ts';

describe('a shared data folder', () => {
  // A second server may use the same data folder as the first one.
  test("lets two servers write and see each other's changes", { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const servers = [await sandbox.serve(), await sandbox.serve()];
    const token = await logIn(servers[0]?.url ?? '');
    const all = servers.flatMap(({ url }, at) =>
      Array.from({ length: 5 }, async (_, i) => {
        const json = { username: `user ${at} ${i}`, password: 'p' };
        const user = await taken(`${url}/api/users`, { token, json });
        const file = await taken(`${url}/api/store/upload`, {
          token,
          ...fileForm('one.iso', 'x'.repeat(i)),
        });
        return [user.status, file.status];
      }),
    );
    expect((await Promise.all(all)).flat()).toEqual(Array(20).fill(200));
    for (const { url } of servers) {
      expect((await sendRequest(`${url}/api/users`, { token })).json.items).toHaveLength(11);
      expect((await sendRequest(`${url}/api/store`, { token })).json.count).toBe(1);
    }
    await sendRequest(`${servers[0]?.url}/api/auth/logout`, { method: 'POST', token });
    expect((await sendRequest(`${servers[1]?.url}/api/auth/me`, { token })).status).toBe(401);
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    expect(readdirSync(sandbox.data)).not.toContain('catalog.db-wal');
  });

  test('keeps an upload in progress when servers start, but not the files of a killed server', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const folder = join(sandbox.data, 'tmp');
    const tmp = () => (existsSync(folder) ? readdirSync(folder) : []);
    const first = await sandbox.serve();
    const token = await logIn(first.url);
    const upload = await halfUpload(first, token, 'slow.iso');
    await expect.poll(tmp).toHaveLength(1);
    const second = await sandbox.serve();
    await halfUpload(second, token, 'lost.iso');
    await expect.poll(tmp).toHaveLength(2);
    second.kill('SIGKILL');
    await second.ended;
    expect(tmp()).toHaveLength(2);
    await sandbox.serve();
    expect(tmp()).toHaveLength(1);
    expect(await upload.finish()).toMatch(/^HTTP\/1\.1 200 /);
    expect(readdirSync(join(sandbox.data, 'store/games'))).toEqual(['slow.iso']);
    expect(tmp()).toEqual([]);
  });

  test('is refused in one line and left unchanged if a newer version wrote it', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const file = join(sandbox.data, 'catalog.db');
    const database = new Database(file);
    database.exec('update schema_version set version = 9999');
    database.close();
    const before = readFileSync(file);
    const commands = [
      ['serve', '--port', '0'],
      ['users', 'list'],
      ['import', 'x.dat'],
      ['backup', 'x.db'],
    ];
    for (const { code, stdout, stderr } of await Promise.all(
      commands.map((args) => sandbox.run(args)),
    )) {
      expect(stderr).toMatch(
        /^catalog: .*catalog\.db is of version 9999, .*use a newer catalog\n$/,
      );
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

/**
 * Begins an upload and leaves it incomplete until `finish` is called. `finish` returns the
 * response.
 */
async function halfUpload(server: Server, token: string, name: string) {
  const { head, tail, type } = formAround(name);
  const socket = connect(server.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const half = 'x'.repeat(100_000);
  socket.write(
    `POST /api/store/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${head.length + 2 * half.length + tail.length}\r\n` +
      `Connection: close\r\n\r\n${head}${half}`,
  );
  return {
    async finish(): Promise<string> {
      socket.write(half + tail);
      let response = '';
      for await (const chunk of socket) response += chunk;
      return response;
    },
  };
}

/**
 * Repeats a request while the response is 503, which happens when both servers write. Returns the
 * first other response.
 */
async function taken(url: string, question: ClientRequestOptions): Promise<ClientResponse> {
  return vi.waitFor(async () => {
    const response = await sendRequest(url, question);
    expect(response.status).not.toBe(503);
    return response;
  }, pollOptions);
}
