import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../support/http/app.ts';
import { startMinimalApp } from '../support/http/minimal-app.ts';

const urls = 'https://catalog.example,http://tower:8000';

describe.each<[string, () => Promise<{ url: string; close(): Promise<void> }>, object]>([
  ['account', () => startTestApp({ 'public-url': urls }), { detail: 'unknown host' }],
  [
    'minimal',
    () => startMinimalApp({ env: { CATALOG_PUBLIC_URLS: urls } }),
    { error: 'unknown host' },
  ],
])('the %s API with --public-url', (_name, start, refusal) => {
  let served: { url: string; close(): Promise<void> };
  beforeAll(async () => {
    served = await start();
  });
  afterAll(() => served.close());

  test.each([
    'catalog.example',
    'CATALOG.example:443',
    'tower:8000',
    'localhost',
    'localhost:1',
    'x.localhost',
    '127.0.0.1',
    '127.1.2.3:9999',
    '[::1]:8000',
  ])('responds to requests for the host %s', async (host) => {
    expect((await requestFor(host)).status).toBe(200);
  });

  test.each([
    'evil.example',
    'tower',
    'tower:8001',
    'catalog.example:80',
    'catalog.example.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5',
    'localhost.evil.example',
  ])('responds with 421 `unknown host` for the host %s', async (host) => {
    const { status, json } = await requestFor(host);
    expect([status, json]).toEqual([421, refusal]);
  });

  const requestFor = (host: string) => listFor(served.url, host);
});

describe('the account API without --public-url', () => {
  test('responds to requests for any host', async () => {
    const app = await startTestApp();
    const { status } = await listFor(app.url, 'evil.example');
    await app.close();
    expect(status).toBe(200);
  });
});

/** Requests the list of releases with another host name. */
async function listFor(url: string, host: string): Promise<{ status?: number; json: unknown }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/releases`, { headers: { host } }, resolve).on('error', reject);
  });
  const json: unknown = JSON.parse(await text(response));
  return { status: response.statusCode ?? 0, json };
}
