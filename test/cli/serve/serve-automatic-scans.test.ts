/** @module-tag full */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Server, useSandbox } from '../../support/process.ts';

const old = new Date('2020-01-01');

describe('catalog serve', () => {
  test('finds new files in a scan that the system starts with CATALOG_SCAN_EVERY', async () => {
    const sandbox = await useSandbox();
    const root = join(sandbox.folder, 'games');
    await mkdir(root);
    await writeFile(join(root, 'one.iso'), 'one');
    await utimes(join(root, 'one.iso'), old, old);
    const server = await sandbox.serve(['--games-root', root], { CATALOG_SCAN_EVERY: '15m' });
    const [scan] = await vi.waitFor(async () => {
      const found = await jobsOf(server);
      expect(found).toMatchObject([{ kind: 'scan', state: 'done', started_by: null }]);
      return found;
    }, pollOptions);
    const token = await logIn(server.url);
    expect((await sendRequest(`${server.url}/api/jobs/${scan?.id}`, { token })).json).toMatchObject(
      {
        options: { automatic: true },
        report: { files: 1, looked: 1, hashed: 1 },
      },
    );
  });
});

async function jobsOf({ url }: Server): Promise<{ id: number; kind: string }[]> {
  const token = await logIn(url);
  return (await sendRequest(`${url}/api/jobs`, { token })).json.items;
}
