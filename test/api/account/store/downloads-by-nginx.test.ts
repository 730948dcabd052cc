import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { pollOptions } from '../../../support/poll-options.ts';
import { toolPath, toolsSkipReason } from '../../../support/tools.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ downloads: 'accel' });
  for (const area of ['games', 'videos']) {
    await mkdir(join(app.data, 'store', area), { recursive: true });
  }
  await writeFile(join(app.data, 'store', 'games', 'Größe 1 & 2?.zip'), '0123456789');
});
afterAll(() => app.close());

const path = `/api/store/download/games/${encodeURIComponent('Größe 1 & 2?.zip')}`;
const request = (url: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${app.adminToken}`, ...headers },
  });
const downloads = async () => {
  const headers = { authorization: `Bearer ${app.adminToken}` };
  const stats = await fetch(`${app.url}/api/stats`, { headers });
  return ((await stats.json()) as { downloads: number }).downloads;
};

describe('the server with --downloads accel', () => {
  test('names the file to nginx, and sends no bytes', async () => {
    const response = await request(app.url);
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-accel-redirect': `/catalog-store/games/${encodeURIComponent('Größe 1 & 2?.zip')}`,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="Gr__e 1 & 2?.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201%20%26%202%3F.zip`,
    });
    expect(response.headers.get('etag')).toBeNull();
  });

  test('refuses anonymous users with 401, and missing archives with 404', async () => {
    expect((await fetch(`${app.url}${path}`)).status).toBe(401);
    const missing = await fetch(`${app.url}/api/store/download/games/none`, {
      headers: { authorization: `Bearer ${app.adminToken}` },
    });
    expect([missing.status, missing.headers.get('x-accel-redirect')]).toEqual([404, null]);
  });
});

const nginxSkipReason = toolsSkipReason('nginx');
describe.skipIf(nginxSkipReason !== null)(
  `the server with --downloads accel behind nginx ${nginxSkipReason ?? ''}`,
  () => {
    let url: string;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      const port = await freePort();
      const folder = join(app.data, 'nginx');
      await mkdir(folder);
      const file = join(folder, 'nginx.conf');
      await writeFile(
        file,
        `pid ${folder}/pid; error_log ${folder}/error.log; user root; events {}
      http {
        access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass ${app.url}; proxy_http_version 1.1; }
          location /catalog-store/ { internal; alias ${app.data}/store/; }
        }
      }`,
      );
      const nginx = spawn('nginx', ['-p', folder, '-c', file, '-g', 'daemon off;'], {
        env: { ...process.env, PATH: toolPath },
        stdio: 'ignore',
      });
      stop = async () => {
        const ended = once(nginx, 'exit');
        nginx.kill('SIGTERM');
        await ended;
      };
      url = `http://127.0.0.1:${port}`;
      await vi.waitFor(() => fetch(url), pollOptions);
    });
    afterAll(() => stop?.());

    test('sends the file, ranges, HEAD and 304, and counts one download', async () => {
      const before = await downloads();
      const whole = await request(url);
      expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
      expect(whole.headers.get('content-disposition')).toContain('attachment; filename=');
      const etag = String(whole.headers.get('etag'));
      const rest = await request(url, 'GET', { range: 'bytes=4-', 'if-range': etag });
      expect([rest.status, await rest.text()]).toEqual([206, '456789']);
      expect((await request(url, 'GET', { 'if-none-match': etag })).status).toBe(304);
      const head = await request(url, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
      await vi.waitFor(async () => expect(await downloads()).toBe(before + 1), pollOptions);
    });

    test('sends no file to an anonymous user, nor at the internal path of nginx', async () => {
      expect((await fetch(`${url}${path}`)).status).toBe(401);
      const direct = await fetch(`${url}/catalog-store/games/${path.split('/').at(-1)}`);
      expect(direct.status).toBe(404);
    });
  },
);
