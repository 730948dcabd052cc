/** @module-tag full */

import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { openCatalog } from '../../src/wire/open-catalog.ts';
import { pollOptions } from '../support/poll-options.ts';
import { useSandbox } from '../support/process.ts';

const GIB = 1024 ** 3;

describe('a job of the command line', () => {
  test('stops when another program requests it, and prints that it was stopped', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const root = join(sandbox.folder, 'games');
    mkdirSync(root);
    writeFileSync(join(root, 'long.iso'), 'long');
    truncateSync(join(root, 'long.iso'), 500 * GIB); // sparse: slow to hash, but uses no disk space
    const catalog = await openCatalog(readConfig({ data: sandbox.data }, {}), { warn() {} });
    onTestFinished(() => catalog.close());

    const scan = sandbox.start(['scan', '--games-root', root]);
    const all = { state: '', kind: '' };
    const newest = async () => (await catalog.jobs.list(all, { limit: 1, before: null }))[0];
    const job = await vi.waitFor(async () => {
      const found = await newest();
      if (found?.progress?.phase !== 'hash') throw new Error(JSON.stringify(found));
      return found;
    }, pollOptions);
    expect(job).toMatchObject({ kind: 'scan', state: 'running', isStopping: false });
    expect(job.progress).toMatchObject({ total: 500 * GIB, unit: 'bytes' });
    expect(job.progress?.name).toContain('long.iso');
    await catalog.jobs.stop(job.id, { kind: 'system' });
    expect(await scan.ended).toMatchObject({
      code: 1,
      // on a busy machine the scan lasts long enough to report progress
      stderr: expect.stringMatching(
        /^(hash: .+\n)*catalog: stopped; the next scan continues where this one stopped\n$/,
      ),
    });
    expect(await catalog.jobs.get(job.id)).toMatchObject({
      state: 'stopped',
      isStopping: true,
      options: { hash: true, jobs: 2 },
      report: { error: 'it was stopped' },
    });
    // Stopping a job that has ended is not an error.
    await catalog.jobs.stop(job.id, { kind: 'system' });
    await expect(catalog.jobs.stop(99, { kind: 'system' })).rejects.toThrow('not found');
  });

  test('is shown as interrupted after its process was killed', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const root = join(sandbox.folder, 'games');
    mkdirSync(root);
    writeFileSync(join(root, 'long.iso'), 'long');
    truncateSync(join(root, 'long.iso'), 500 * GIB);
    const catalog = await openCatalog(readConfig({ data: sandbox.data }, {}), { warn() {} });
    onTestFinished(() => catalog.close());
    const scan = sandbox.start(['scan', '--games-root', root]);
    const page = { limit: 1, before: null };
    const running = { state: 'running', kind: 'scan' };
    const [job] = await vi.waitFor(async () => {
      const found = await catalog.jobs.list(running, page);
      expect(found).not.toEqual([]);
      return found;
    }, pollOptions);
    scan.kill('SIGKILL');
    await scan.ended;
    expect(await catalog.jobs.list(running, page)).toEqual([]);
    expect(await catalog.jobs.get(job?.id ?? 0)).toMatchObject({ state: 'interrupted' });
  });
});
