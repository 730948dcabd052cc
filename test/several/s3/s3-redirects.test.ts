/** @module-tag full */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox, type Server } from '../../support/process.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const name = 'Größe 1.zip';
const path = `/api/store/download/games/${encodeURIComponent(name)}`;

describe.skipIf(s3SkipReason !== null)(`serve --downloads redirect ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  let sandbox: Sandbox;
  let server: Server;
  let token: string;
  const request = (method = 'GET', headers: Record<string, string> = {}, where = path) =>
    fetch(`${server.url}${where}`, {
      method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const downloads = async () =>
    ((await (await request('GET', {}, '/api/stats')).json()) as { downloads: number }).downloads;

  beforeAll(async () => {
    s3 = await startS3();
    sandbox = await openSandbox();
    const env = settingsOf(sandbox, await s3.newBucket());
    server = await sandbox.serve(['--downloads', 'redirect'], env);
    const login = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'admin-password' }),
    });
    token = ((await login.json()) as { token: string }).token;
    const form = new FormData();
    form.set('file', new File(['0123456789'], name));
    const upload = await fetch(`${server.url}/api/store/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(upload.status).toBe(200);
  });
  afterAll(async () => {
    await sandbox?.close();
    await s3?.stop();
  });

  test('redirects to a URL that serves the file for five minutes without a token', async () => {
    const response = await request();
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
    const url = String(response.headers.get('location'));
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('300');
    const file = await fetch(url);
    expect([file.status, await file.text()]).toEqual([200, '0123456789']);
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
    expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6");
    const rest = await fetch(url, { headers: { range: 'bytes=4-' } });
    expect([rest.status, await rest.text()]).toEqual([206, '456789']);
    expect((await fetch(url.replace('X-Amz-Expires=300', 'X-Amz-Expires=3000'))).status).toBe(403);
  });

  test('counts a download once, and not its later ranges', async () => {
    const before = await downloads();
    await request();
    await request('GET', { range: 'bytes=4-' });
    await request('HEAD');
    expect(await downloads()).toBe(before + 1);
  });

  test('does not redirect HEAD requests and responses with 304, 416, 401 or 404', async () => {
    const head = await request('HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    const etag = String(head.headers.get('etag'));
    expect((await request('GET', { 'if-none-match': etag })).status).toBe(304);
    expect((await request('GET', { range: 'bytes=99-' })).status).toBe(416);
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
    expect((await request('GET', {}, '/api/store/download/games/none')).status).toBe(404);
  });
});

describe('catalog serve', () => {
  test.each([
    ['redirect', {}, 'redirect needs files on S3 (--files)'],
    ['sideways', {}, 'is not one of direct, redirect, accel'],
    ['accel', { CATALOG_FILES: 's3://bucket/p' }, 'accel needs files in the data folder'],
  ])(
    'refuses --downloads %s if it is unknown or the storage does not support it',
    async (way, env, reason) => {
      const sandbox = await openSandbox();
      try {
        const { code, stderr } = await sandbox.run(['serve', '--downloads', way], { env });
        expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
        expect(stderr.trim().split('\n')).toHaveLength(1);
      } finally {
        await sandbox.close();
      }
    },
  );
});
