/** @module-tag full */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fileForm, logIn, sendRequest } from '../../support/http/client.ts';
import { createRequester } from '../../support/http/requester.ts';
import { type TusClient, tusClient } from '../../support/http/tus.ts';
import { useSandbox } from '../../support/process.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const mib = 2 ** 20;
/**
 * Maximum number of concurrent joins. Each join buffers bytes in memory while it copies them from
 * the store back to the store.
 */
const maxJoins = 2;

describe.skipIf(s3SkipReason !== null)(`a server with files on S3 ${s3SkipReason ?? ''}`, () => {
  test('accepts 20 concurrent uploads of all kinds, and joins at most two at a time', async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.stop());
    const proxy = await openProxy(s3.endpoint, mib);
    const sandbox = await useSandbox();
    const bucket = { ...(await s3.newBucket()), endpoint: proxy.endpoint };
    const server = await sandbox.serve([], settingsOf(sandbox, bucket));
    const token = await logIn(server.url);
    const bytes = randomBytes(10 * mib);
    const client = tusClient(createRequester(server.url), token);
    const send = async (at: number) => {
      const filename = `${at}.iso`;
      if (at % 4 === 0) {
        const form = { token, ...fileForm(filename, bytes) };
        return expect((await sendRequest(`${server.url}/api/store/upload`, form)).status).toBe(200);
      }
      const path = await client.createUpload(bytes.length, { filename, system: 'games' });
      await sendAll(client, path, bytes, (at % 4 === 1 ? 9 : 1) * mib);
      return expect(await client.waitUntilChecked(path)).toMatchObject({ state: 'done' });
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => send(at)));
    expect(proxy.maxRead()).toBeGreaterThan(0);
    expect(proxy.maxRead()).toBeLessThanOrEqual(maxJoins);
    expect((await server.stop()).code).toBe(0);
  });
});

/** Sends chunks like a client. If the server is busy, retries from the offset of the upload. */
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
      busy: expect.toSatisfy((n) => n < 200),
    });
    busy += 1;
    await setTimeout(50);
    start = Number((await client.head(path)).headers['upload-offset'] ?? start);
  }
}

/**
 * Opens a proxy to a store. `maxRead` returns the largest number of objects of this size that were
 * read concurrently.
 */
async function openProxy(store: string, size: number) {
  const { hostname, port } = new URL(store);
  const small = new Set<string>();
  const reading = new Set<http.ServerResponse>();
  let max = 0;
  const proxy = http.createServer((request, response) => {
    const { method, url = '', headers } = request;
    const [key = '', query] = url.split('?', 2);
    const length = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length']);
    if (method === 'PUT' && length === size && !query?.includes('partNumber')) small.add(key);
    if (method === 'GET' && small.has(key)) {
      reading.add(response);
      response.on('close', () => reading.delete(response));
      max = Math.max(max, reading.size);
    }
    const sent = http.request({ hostname, port, method, path: url, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      pipeline(received, response).catch(() => {});
    });
    pipeline(request, sent).catch(() => response.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const own = (proxy.address() as AddressInfo).port;
  return { endpoint: `http://127.0.0.1:${own}`, maxRead: () => max };
}
