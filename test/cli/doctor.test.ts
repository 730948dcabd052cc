import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examine } from '../../src/core/doctor/doctor.ts';
import type { DoctorEnvironment } from '../../src/core/doctor/ports.ts';
import { fileSystemProblem } from '../../src/files/data-folder.ts';
import { logIn } from '../support/http/client.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const offline = ['--cover-source', ''];

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
  readonly advice: string | null;
}

async function runDoctor(sandbox: Sandbox, args: readonly string[] = offline) {
  const { code, stdout, stderr } = await sandbox.run(['doctor', '--json', ...args]);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  // Ignore the check of the Node version, because the tests may run on any version.
  const not = findings.filter(({ check, state }) => state !== 'fine' && check !== 'node');
  return { code, findings, not };
}

/** Starts a server on loopback that sends the same response to every request. */
async function useServer(status: number, body: string, date = new Date()): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { date: date.toUTCString() }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('catalog doctor', () => {
  test('reports a working setup as fine, as JSON and as text', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const { code, not, findings } = await runDoctor(sandbox);
    expect({ code, not }).toEqual({ code: 0, not: [] });
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set(['node', 'data', 'database', 'library', 'covers', 'clock']),
    );
    const { stdout } = await sandbox.run(['doctor', ...offline]);
    const lines = stdout.split('\n').filter((line) => /^\S/.test(line)); // without the advice
    expect(lines).toHaveLength(findings.length);
    expect(stdout).toMatch(/^ok {6}data: /m);
    await server.stop();
  });

  test('advises what to do in a folder without a catalogue, and creates none', async () => {
    const sandbox = await useSandbox();
    const { code, not } = await runDoctor(sandbox);
    expect(code).toBe(1);
    expect(not.map(({ check, state }) => [check, state])).toContainEqual(['database', 'wrong']);
    expect(not.at(-1)?.advice).not.toBeNull();
    expect((await sandbox.run(['users', 'list'])).stderr).toContain('there is no catalogue');
  });

  test('reports a newer or damaged database, and accepts an older one', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const file = join(sandbox.data, 'catalog.db');
    const change = (sql: string) => {
      const db = new Database(file);
      db.exec(sql);
      db.close();
    };
    change('UPDATE schema_version SET version = 999');
    const newer = await runDoctor(sandbox);
    expect(newer).toMatchObject({ code: 1, not: [{ check: 'database' }] });
    expect(newer.not[0]?.says).toContain('999');
    change('UPDATE schema_version SET version = 12');
    const older = await runDoctor(sandbox);
    expect(older).toMatchObject({ code: 0, not: [] });
    expect(older.findings.find(({ check }) => check === 'database')?.says).toContain('12');
    await writeFile(file, 'no database');
    expect(await runDoctor(sandbox)).toMatchObject({ code: 1, not: [{ check: 'database' }] });
  });

  test('reports roots that are missing, or empty although they had files', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const [gone, emptied, never] = ['gone', 'emptied', 'never'].map((each) =>
      join(sandbox.folder, each),
    ) as [string, string, string];
    for (const root of [gone, emptied]) {
      await mkdir(root);
      await writeFile(join(root, 'a.iso'), 'x');
    }
    const roots = [gone, emptied].flatMap((root) => ['--games-root', root]);
    await sandbox.createDataFolder();
    expect(await sandbox.run(['scan', '--no-hash', ...roots])).toMatchObject({ code: 0 });
    await rm(gone, { recursive: true });
    await rm(join(emptied, 'a.iso'));
    const { code, not } = await runDoctor(sandbox, [...offline, '--games-root', never]);
    expect(code).toBe(1);
    expect(not.map(({ state, says }) => [state, says])).toEqual([
      ['warning', expect.stringContaining(never)],
      ['wrong', expect.stringContaining(`${emptied} is empty, although 1 files`)],
      ['wrong', expect.stringContaining(`${gone} cannot be read: no such file`)],
    ]);
  });

  const isRoot = process.getuid?.() === 0;
  const why = isRoot ? ' (skipped: root may write everywhere)' : '';
  test.skipIf(isRoot)(`reports a data folder that it cannot write to${why}`, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    await chmod(sandbox.data, 0o500);
    onTestFinished(() => chmod(sandbox.data, 0o700));
    const { code, not } = await runDoctor(sandbox);
    expect(code).toBe(1);
    expect(not[0]?.says).toContain('permission denied');
  });

  test('warns about a cover source that is unreachable, fails, or has a different clock', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const from = async (source: string) =>
      (await runDoctor(sandbox, ['--cover-source', source])).not;
    expect(await from('http://127.0.0.1:9')).toMatchObject([{ check: 'covers', state: 'warning' }]);
    expect(await from(await useServer(503, ''))).toMatchObject([{ check: 'covers' }]);
    expect(await from(await useServer(404, ''))).toEqual([]);
    const late = new Date(Date.now() - 3_600_000);
    expect(await from(await useServer(200, '', late))).toMatchObject([{ check: 'clock' }]);
  });

  test('reports a public URL of another server, with a refused host name, or that is unreachable', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const at = async (url: string) =>
      (await runDoctor(sandbox, [...offline, '--public-url', url])).not;
    expect(await at(server.url)).toEqual([]);
    const elsewhere = await useServer(200, '<html>');
    expect(await at(elsewhere)).toMatchObject([{ check: 'proxy', state: 'wrong' }]);
    const otherHost = await at(await useServer(421, '{"detail":"unknown host"}'));
    expect(otherHost[0]?.advice).toContain('Host');
    expect(await at('http://127.0.0.1:9')).toMatchObject([{ state: 'wrong' }]);
  });

  test('warns if all logins come from the proxy', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    for (let at = 0; at < 5; at += 1) await logIn(server.url);
    const { code, not } = await runDoctor(sandbox);
    expect(code).toBe(0);
    expect(not).toMatchObject([{ check: 'proxy', state: 'warning' }]);
    expect(not[0]?.advice).toContain('--trusted-proxy 127.0.0.1');
  });

  test('reports a missing backup folder', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const folder = join(sandbox.folder, 'backups');
    const args = [...offline, '--backup-to', folder];
    expect(await runDoctor(sandbox, args)).toMatchObject({ code: 1, not: [{ check: 'backups' }] });
    await mkdir(folder);
    expect(await runDoctor(sandbox, args)).toMatchObject({ code: 0, not: [] });
  });

  test('checks the Node version, free space, file systems and clocks', async () => {
    const data = {
      problem: null,
      doubt: null,
      freeBytes: 2 ** 40,
      freeFiles: 1e6,
      clockAheadMs: 0,
    };
    const facts = {
      version: 1,
      knownVersion: 1,
      roots: [],
      loginAddresses: [],
      newestRecord: null,
    };
    const fine: DoctorEnvironment = {
      node: '24.22.1',
      now: () => Date.parse('2026-11-22T12:00:00Z'),
      inspectData: async () => data,
      inspectDatabase: async () => facts,
      inspectRoot: async () => ({ problem: null, isEmpty: false }),
      inspectFiles: async () => null,
      inspectBackups: async () => null,
      probeServer: async () => ({ problem: null, status: 200, text: '', date: null }),
    };
    const settings = {
      data: '/d',
      database: '',
      gamesRoots: [],
      videosRoots: [],
      coverSource: '',
      basePath: '',
    };
    const none = { publicUrls: [], trustedProxies: [], backupTo: '', files: '' };
    const found = async (around: Partial<DoctorEnvironment>) => {
      const findings = [];
      for await (const each of examine({ ...settings, ...none }, { ...fine, ...around })) {
        if (each.state !== 'fine') findings.push(`${each.check} ${each.state}`);
      }
      return findings;
    };
    expect(await found({})).toEqual([]);
    expect(await found({ node: '24.21.0' })).toEqual(['node warning']);
    expect(await found({ node: '23.11.0' })).toEqual([]);
    const folder = (change: object) => ({ inspectData: async () => ({ ...data, ...change }) });
    expect(await found(folder({ freeBytes: 2 ** 29 }))).toEqual(['data warning']);
    expect(await found(folder({ freeFiles: 3 }))).toEqual(['data warning']);
    expect(await found(folder({ freeFiles: null }))).toEqual([]);
    expect(await found(folder({ doubt: 'x' }))).toEqual(['data warning']);
    expect(await found(folder({ clockAheadMs: -9_000 }))).toEqual(['clock warning']);
    const newestRecord = Date.parse('2026-11-22T13:00:00Z');
    const back = { inspectDatabase: async () => ({ ...facts, newestRecord }) };
    expect(await found(back)).toEqual(['clock warning']);
    expect(fileSystemProblem('/d', 0x6969)).toMatchObject({ isRefused: true });
    expect(fileSystemProblem('/d', 0x65735546)).toMatchObject({ isRefused: false });
    expect(fileSystemProblem('/d', 0xef53)).toBeNull();
  });
});
