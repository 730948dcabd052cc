/** @module-tag full */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sendRequest } from '../../support/http/client.ts';
import { type Sandbox, useSandbox, waitForUrl } from '../../support/process.ts';

const FILES = 1_000;

/**
 * Starts a minimal server for the root. `count` returns how many files the server currently lists.
 */
async function serve(sandbox: Sandbox, root: string) {
  const options = ['--minimal', '--host', '127.0.0.1', '--port', '0', '--games-root', root];
  const server = sandbox.start(['serve', ...options]);
  const url = await waitForUrl(server);
  return {
    server,
    count: async (query = '') =>
      (await sendRequest(`${url}/api/library${query}`)).json.count as number,
  };
}

describe('catalog serve', () => {
  test('scans new roots once in the background, and lists files without a refresh', async () => {
    const sandbox = await useSandbox();
    const root = join(sandbox.folder, 'games');
    mkdirSync(root);
    for (let i = 0; i < FILES; i += 1) writeFileSync(join(root, `${i}.iso`), `${i}`);

    const first = await serve(sandbox, root);
    expect(await first.count()).toBeLessThan(FILES);
    // The server caches a list for 60 s, but lists new files before that.
    await expect.poll(() => first.count(), { timeout: 50_000 }).toBe(FILES);
    first.server.kill('SIGTERM');
    expect((await first.server.ended).code).toBe(0);

    writeFileSync(join(root, 'new.iso'), 'new');
    const second = await serve(sandbox, root);
    expect(await second.count()).toBe(FILES);
    expect(await second.count('?refresh=yes')).toBe(FILES + 1);
  });
});
