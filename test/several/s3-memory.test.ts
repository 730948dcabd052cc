/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askAt } from '../support/ask.ts';
import { ask, fileForm, logIn } from '../support/client.ts';
import { type Program, useSandbox } from '../support/process.ts';
import { lackOfS3, startS3 } from '../support/s3/radosgw.ts';
import { settingsOf } from '../support/s3/settings.ts';
import { type TusClient, tusClient } from '../support/tus.ts';

const mib = 2 ** 20;

describe.skipIf(lackOfS3 !== null)(`memory of a server with files on S3 ${lackOfS3 ?? ''}`, () => {
  test.each([
    { how: 'half of them whole', chunkMib: 9 },
    { how: 'all in small chunks, which are joined', chunkMib: 1 },
  ])('20 uploads at once, $how, take little', { timeout: 120_000 }, async ({ how, chunkMib }) => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const sandbox = await useSandbox();
    const server = await sandbox.serve([], settingsOf(sandbox, await s3.newBucket()));
    const token = await logIn(server.url);
    const before = memoryOf(server, 'VmRSS');
    const bytes = randomBytes(10 * mib);
    const client = tusClient(askAt(server.url), token);
    await atOnce(20, async (at) => {
      const filename = `${at}.iso`;
      if (chunkMib === 9 && at % 2 === 0) {
        const form = { token, ...fileForm(filename, bytes) };
        return expect((await ask(`${server.url}/api/store/upload`, form)).status).toBe(200);
      }
      const path = await client.begun(bytes.length, { filename, system: 'games' });
      await sendAll(client, path, bytes, chunkMib * mib);
      return expect(await client.ended(path)).toMatchObject({ state: 'done' });
    });
    const growth = memoryOf(server, 'VmHWM') - before;
    console.log(`20 uploads, ${how}: ${growth.toFixed(0)} MiB`);
    // By 100, on a machine that is busy otherwise 150. Joined at will, small chunks took 210.
    expect(growth).toBeLessThan(180);
    expect((await server.stop()).code).toBe(0);
  });
});

/** In chunks, as clients do it: where the store is slow and the server busy, from where the upload stands a second later. */
async function sendAll(
  client: TusClient,
  path: string,
  bytes: Buffer,
  chunkBytes: number,
): Promise<void> {
  for (let start = 0, busy = 0; start < bytes.length; ) {
    const chunk = bytes.subarray(start, start + chunkBytes);
    const { status, text } = await client.send(path, start, chunk);
    if (status === 204) {
      start += chunk.length;
      continue;
    }
    expect({ status, text, busy }).toMatchObject({
      status: 503,
      busy: expect.toSatisfy((n) => n < 10),
    });
    busy += 1;
    await setTimeout(1_000);
    start = Number((await client.head(path)).headers['upload-offset'] ?? start);
  }
}

async function atOnce(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, at) => work(at)));
}

/** MiB. */
function memoryOf({ pid }: Program, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}
