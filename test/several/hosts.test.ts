/** @module-tag full */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../support/data/databases.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { type Sandbox, type Server, useSandbox, waitForUrl } from '../support/process.ts';

const onServers = testedDatabases().filter(({ name }) => name !== 'SQLite');

describe.each(onServers)('$name: a library root at the same path of two hosts', ({ make }) => {
  /**
   * Creates two data folders that use one database. Also creates a path at which each host has a
   * different disk.
   */
  async function useHosts() {
    const { databaseUrl, drop } = await make();
    onTestFinished(drop);
    const one = await useSandbox(undefined, databaseUrl);
    const other = await useSandbox(undefined, databaseUrl);
    const root = join(one.folder, 'games');
    const disks = [one, other].map(({ folder }) => join(folder, 'disk'));
    for (const disk of disks) await mkdir(disk);
    const [ofOne = '', ofOther = ''] = disks;
    await writeFile(join(ofOne, 'one.iso'), 'one');
    await writeFile(join(ofOther, 'other.iso'), 'other');
    let there = '';
    /**
     * Moves the host's own disk to the path and runs `work`. The disk stays there until the next
     * call.
     */
    async function withDisk<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
      const disk = sandbox === one ? ofOne : ofOther;
      if (there !== '') await rename(root, there);
      await rename(disk, root);
      there = disk;
      return work();
    }
    const scan = (sandbox: Sandbox, ...more: string[]) =>
      withDisk(sandbox, () => sandbox.run(['scan', '--games-root', root, ...more]));
    return { one, other, root, withDisk, scan };
  }

  async function filesAt({ url }: Server, token: string): Promise<string[]> {
    const { json } = await sendRequest(`${url}/api/library`, { token });
    return json.items.map((file: { name: string }) => file.name);
  }

  test('is scanned only by its first host, until another host takes it over', async () => {
    const { one, other, root, scan } = await useHosts();
    await one.createDataFolder();
    expect(await scan(one)).toMatchObject({ code: 0, stderr: '' });
    const refused = await scan(other);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(
      new RegExp(
        `^catalog: library root ${root}: it belongs to the host \\S+\\.[0-9a-f]{16}, which alone scans it; the records of 1 file below it are kept \\(--take-over .+\\)\n$`,
      ),
    );
    expect((await scan(other, '--full', '--forget')).code).toBe(1);
    const json = JSON.parse((await scan(other, '--json')).stdout);
    expect(json).toMatchObject({ files: 0, gone: 0, problems: [{ root, known: 1 }] });
    expect(await scan(one)).toMatchObject({ code: 0, stderr: '' });

    const server = await other.serve();
    const token = await logIn(server.url, 'first', 'first');
    expect(await filesAt(server, token)).toEqual(['one.iso']);
    const [file] = (await sendRequest(`${server.url}/api/library`, { token })).json.items;
    const download = `${server.url}/api/library/${file.id}/download`;
    const elsewhere = await sendRequest(download, { token });
    expect(elsewhere.status).toBe(409);
    expect(elsewhere.json.detail).toMatch(/^the file is on the host \S+\.[0-9a-f]{16}$/);
    const roots = (await sendRequest(`${server.url}/api/library/roots`, { token })).json.items;
    expect(roots).toContainEqual(expect.objectContaining({ path: root, files: 1, problem: null }));
    expect(await scan(other, '--take-over')).toMatchObject({ code: 0, stderr: '' });
    expect(await filesAt(server, token)).toEqual(['other.iso']);
    expect(await scan(other)).toMatchObject({ code: 0, stderr: '' });
    expect((await scan(one)).code).toBe(1);
    expect(await filesAt(server, token)).toEqual(['other.iso']);
  });

  test('belongs to no host while empty, and then to the first host that finds files', async () => {
    const { one, other, root, scan } = await useHosts();
    await one.createDataFolder();
    await rm(join(one.folder, 'disk', 'one.iso'));
    expect(await scan(one)).toMatchObject({ code: 0, stderr: '' });
    expect(await scan(other)).toMatchObject({ code: 0, stderr: '' });
    expect((await scan(one)).stderr).toContain(`library root ${root}: it belongs to the host`);
    await rm(join(root, '..', 'disk'), { recursive: true, force: true });
  });

  test('is refreshed only on its own host, and skipped by jobs and checks elsewhere', async () => {
    const { one, other, root, scan, withDisk } = await useHosts();
    await one.createDataFolder();
    expect((await scan(one)).code).toBe(0);
    const minimal = ['serve', '--minimal', '--host', '127.0.0.1', '--port', '0'];
    const started = [one, other].map((host) => host.start([...minimal, '--games-root', root]));
    const [urlOfOne = '', urlOfOther = ''] = await Promise.all(started.map(waitForUrl));
    const namesAt = async (url: string) => {
      const { json } = await sendRequest(`${url}/api/library?refresh=1`);
      return json.items.map(({ name }: { name: string }) => name);
    };
    await withDisk(other, async () => {
      expect(await namesAt(urlOfOther)).toEqual(['one.iso']);
      expect(await namesAt(urlOfOther)).toEqual(['one.iso']);
    });
    await withDisk(one, async () => {
      await writeFile(join(root, 'two.iso'), 'two');
      expect(await namesAt(urlOfOne)).toEqual(['one.iso', 'two.iso']);
    });
    const warningCounts = started.map(
      ({ stderr }) => stderr.match(/it belongs to the host/g)?.length ?? 0,
    );
    expect(warningCounts).toEqual([0, 1]);

    await withDisk(other, async () => {
      const verified = await other.run(['verify', '--library']);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
      const server = await other.serve();
      const token = await logIn(server.url, 'first', 'first');
      const body = { token, json: { kind: 'scan', options: { hash: true } } };
      const { json } = await sendRequest(`${server.url}/api/jobs`, body);
      const job = async () =>
        (await sendRequest(`${server.url}/api/jobs/${json.id}`, { token })).json;
      const report = { files: 0, gone: 0, problems: [] };
      await expect.poll(job).toMatchObject({ state: 'done', report });
      expect(await filesAt(server, token)).toEqual(['one.iso', 'two.iso']);
      const doctor = await other.run(['doctor']);
      expect(doctor.stdout).not.toContain(root);
    });
    await withDisk(one, async () => {
      const verified = await one.run(['verify', '--library']);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
    });
  });
});
