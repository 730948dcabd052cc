/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../support/data/databases.ts';
import { freeze } from '../support/freeze.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { createRequester } from '../support/http/requester.ts';
import { tusClient } from '../support/http/tus.ts';
import { useSandbox } from '../support/process.ts';

const mib = 2 ** 20;

describe('a group of instances', () => {
  test.each(testedDatabases())(
    'continues the upload of a frozen instance on another one: $name',
    async ({ make }) => {
      const { databaseUrl, drop } = await make();
      onTestFinished(drop);
      const sandbox = await useSandbox(undefined, databaseUrl);
      const [one, other] = [await sandbox.serve(), await sandbox.serve()];
      const token = await logIn(one.url);
      const client = tusClient(createRequester(other.url), token);
      const bytes = randomBytes(4 * mib);
      const path = await client.createUpload(bytes.length, {
        filename: 'away.iso',
        system: 'games',
      });
      const headers = {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'content-length': bytes.length,
      };
      const slow = request(`${one.url}${new URL(path, one.url).pathname}`, {
        method: 'PATCH',
        headers,
      });
      slow.on('error', () => {}).on('response', (response) => response.resume());
      slow.write(bytes.subarray(0, mib));
      const offset = async () => Number((await client.head(path)).headers['upload-offset']);
      const send = async (end: number) => {
        const at = await offset();
        return (await client.send(path, at, bytes.subarray(at, Math.max(at, end)))).status;
      };
      // Send empty chunks until a 503 shows that the first instance has the lease.
      await expect.poll(() => send(0)).toBe(503);
      await freeze(one.pid);
      const frozenAt = performance.now();
      await expect.poll(() => send(bytes.length)).toBe(204);
      await expect.poll(() => performance.now() - frozenAt).toBeGreaterThan(12_000);
      expect(one.stderr).not.toContain('this process stood still');
      one.kill('SIGCONT');
      await expect.poll(() => one.stderr).toContain('this process stood still');
      slow.end(bytes.subarray(mib));
      expect(await client.waitUntilChecked(path)).toMatchObject({ state: 'done' });
      const stored = await sendRequest(`${one.url}/api/store?system=games`, { token });
      expect(stored.json.items).toMatchObject([{ name: 'away.iso', size: bytes.length }]);
    },
    120_000,
  );
});
