/** @module-tag full */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { pollOptions } from '../support/poll-options.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const FILES = 40;
/** A bash command that prints the exit codes of the preceding pipeline. */
const codes = `echo "codes \${PIPESTATUS[*]}"`;

/** Opens a sandbox that has many small DATs in `dats/`. */
async function useDats(): Promise<Sandbox> {
  const sandbox = await useSandbox();
  mkdirSync(join(sandbox.folder, 'dats'));
  for (let i = 0; i < FILES; i += 1) {
    const row = `<game name="Game ${i}"><rom name="${i}.iso" size="${i + 1}" crc="0000000a"/></game>`;
    const text = `<datafile><header><name>Test - ${i}</name></header>${row}</datafile>`;
    writeFileSync(join(sandbox.folder, 'dats', `${i}.dat`), text);
  }
  return sandbox;
}

describe('an import whose output is lost', () => {
  const noSpace = 'catalog: standard output cannot be written: no space left on device\n';

  test.each([
    ['a reader that exits after one line', `catalog import dats | head -1; ${codes}`, ''],
    ['a full disk', `catalog import dats > /dev/full; ${codes}`, noSpace],
  ])('completes despite %s', isDone);

  test.each([
    ['a reader that exits at once', `catalog import dats | true; ${codes}`, ''],
    ['a full disk for both outputs', `catalog import dats > /dev/full 2>&1; ${codes}`, ''],
    ['a closed standard output', `catalog import dats >&-; ${codes}`, ''],
    ['a reader of JSON that exits at once', `catalog import dats --json | true; ${codes}`, ''],
  ])('completes despite %s', { tags: ['full'] }, isDone);

  async function isDone(_: string, script: string, stderr: string) {
    const sandbox = await useDats();
    const ended = await sandbox.shell(script).ended;
    expect(ended.stderr).toBe(stderr);
    expect(ended.stdout).toMatch(/^codes 0( 0)?$/m);
    expect(query(sandbox, 'select count(*) as n from release')).toEqual([{ n: FILES }]);
    const [job] = query<{ state: string; report: string }>(sandbox, 'select * from job');
    expect(job?.state).toBe('done');
    expect(JSON.parse(job?.report ?? '').files).toHaveLength(FILES);
  }

  test('exits with 1 for a refused file, even if its output is lost', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useDats();
    writeFileSync(join(sandbox.folder, 'dats/0.dat'), '<datafile><game></rom>');
    const { stdout, stderr } = await sandbox.shell(
      `catalog import dats 2>&1 >/dev/full | true; ${codes}`,
    ).ended;
    expect({ stdout, stderr }).toEqual({ stdout: 'codes 1 0\n', stderr: '' });
    expect(query(sandbox, 'select count(*) as n from release')).toEqual([{ n: FILES - 1 }]);
  });
});

describe('the command line', () => {
  test('completes a scan whose output is lost', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    mkdirSync(join(sandbox.folder, 'games'));
    for (let i = 0; i < 100; i += 1) writeFileSync(join(sandbox.folder, `games/${i}.iso`), `${i}`);
    const script = `catalog scan --games-root games --json | true; ${codes}`;
    const { stdout, stderr } = await sandbox.shell(script).ended;
    expect({ stdout, stderr }).toEqual({ stdout: 'codes 0 0\n', stderr: '' });
    const hashed = 'select count(*) as n from library_file where sha1 is not null';
    expect(query(sandbox, hashed)).toEqual([{ n: 100 }]);
  });

  test('ignores a lost reader, and fails on a full disk, in commands that only print', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    for (const command of ['catalog users list', 'catalog --help']) {
      const left = await sandbox.shell(`${command} | true; ${codes}`).ended;
      expect(left, command).toMatchObject({ stdout: 'codes 0 0\n', stderr: '' });
      const full = await sandbox.shell(`${command} > /dev/full`).ended;
      const stderr = 'catalog: standard output cannot be written: no space left on device\n';
      expect(full, command).toMatchObject({ code: 1, stderr });
    }
    const withoutStderr = await sandbox.shell('catalog nonsense 2> /dev/full').ended;
    expect(withoutStderr).toMatchObject({ code: 2, stdout: '' });
  }, 60_000);
});

describe('a server whose output is lost', () => {
  test('keeps running when the readers of its output are gone', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'debug']);
    server.closeReaders();
    for (let i = 0; i < 20; i += 1) {
      expect((await sendRequest(`${server.url}/api/releases`)).status).toBe(200);
    }
    const token = await logIn(server.url);
    expect((await sendRequest(`${server.url}/api/auth/me`, { token })).status).toBe(200);
    expect(server.hasEnded).toBe(false);
    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('keeps running when the readers of its output read nothing', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    server.stopReading();
    // The log exceeds the buffers of the operating system.
    const path = `/api/${'x'.repeat(480)}`;
    for (let i = 0; i < 1_000; i += 1) {
      expect((await sendRequest(server.url + path)).status).toBe(404);
    }
    await logIn(server.url);
    server.kill('SIGTERM');
    await expect.poll(() => server.hasEnded).toBe(true);
    server.closeReaders();
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
  });

  test('keeps running when the disk for its output is full', async () => {
    const sandbox = await useSandbox();
    const port = await freePort();
    const server = sandbox.shell(
      `exec_catalog serve --host 127.0.0.1 --port ${port} > /dev/full 2>&1`,
      { CATALOG_ADMIN_PASSWORD: 'admin-password' },
    );
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => sendRequest(`${url}/api/health`), pollOptions);
    const token = await logIn(url);
    const me = await sendRequest(`${url}/api/auth/me`, { token });
    expect(me.status).toBe(200);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, signal: null });
  });
});

function query<T>(sandbox: Sandbox, sql: string): T[] {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    return database.prepare<[], T>(sql).all();
  } finally {
    database.close();
  }
}
