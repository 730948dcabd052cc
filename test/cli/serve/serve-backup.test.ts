import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Server, useSandbox } from '../../support/process.ts';

const backups = (names: readonly string[]) =>
  names.filter((name) => /^catalog-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar$/.test(name)).sort();

describe('catalog serve', () => {
  test('makes due backups as jobs, and deletes only older backups of its own', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const to = join(sandbox.folder, 'backups');
    await mkdir(to);
    const args = ['--backup-to', to, '--backup-every', '1h', '--backup-keep', '2'];
    const first = await sandbox.serve(args);
    const job = await endedBackup(first);
    expect(job).toMatchObject({ state: 'done', started_by: null });
    const [made = ''] = backups(await readdir(to));
    const token = await logIn(first.url);
    const { json } = await sendRequest(`${first.url}/api/jobs/${job.id}`, { token });
    expect(json.report).toMatchObject({ file: made, covers: 0 });
    await first.stop();

    const mark = made.slice(0, 'catalog-12345678-'.length);
    const others = ['catalog-00000000-20200101T000000Z.tar', 'mine.tar', `${mark}notes.txt`];
    const old = ['20200101T000000Z', '20200102T000000Z', '20200103T000000Z'];
    for (const name of [...others, ...old.map((time) => `${mark}${time}.tar`)]) {
      await writeFile(join(to, name), 'x');
    }
    // The newest backup is recent, so no backup is due and none is removed.
    const second = await sandbox.serve(args);
    await second.stop();
    expect(await readdir(to)).toHaveLength(7);

    const data = join(sandbox.folder, 'restored');
    const restored = await sandbox.run(['restore', join(to, made), '--data', data]);
    expect(restored).toMatchObject({ code: 0 });
    await rename(join(to, made), join(to, `${mark}20200104T000000Z.tar`));
    const fourth = await sandbox.serve(args);
    await expect.poll(async () => (await endedBackup(fourth)).id).not.toBe(job.id);
    const left = await readdir(to);
    expect(left).toEqual(expect.arrayContaining(others));
    const ownBackups = left.filter((name) => name.startsWith(mark) && name.endsWith('.tar')).sort();
    expect(ownBackups[0]).toBe(`${mark}20200104T000000Z.tar`);
    expect(ownBackups).toHaveLength(2);
  });

  test('refuses an unusable backup folder and an invalid interval at the start', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const to = join(sandbox.folder, 'nowhere');
    const { code, stderr } = await sandbox.run(['serve', '--port', '0', '--backup-to', to]);
    expect(stderr).toBe(
      `catalog: --backup-to: cannot write backups to ${to}: no such file or directory\n`,
    );
    expect(code).toBe(2);
    const wrong = await sandbox.run(['serve', '--backup-to', to, '--backup-every', 'daily']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toMatch(/^catalog: --backup-every: "daily" is not a length of time/);
  });
});

/** Waits for the newest backup job to end and returns it. */
async function endedBackup(server: Server): Promise<{ id: number; state: string }> {
  const token = await logIn(server.url);
  return vi.waitFor(async () => {
    const { json } = await sendRequest(`${server.url}/api/jobs?kind=backup`, { token });
    const [newest] = json.items;
    expect(newest).toMatchObject({ finished_at: expect.any(String) });
    return newest;
  }, pollOptions);
}
