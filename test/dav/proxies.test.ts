import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../several/proxies/start-proxy.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { type DavFixture, oddNames, startDav } from './dav-fixture.ts';

let dav: DavFixture;
beforeAll(async () => {
  dav = await startDav();
});
afterAll(() => dav.close());

describe('WebDAV behind a reverse proxy', () => {
  for (const kind of ['nginx', 'haproxy'] as const) {
    const skipReason = toolsSkipReason(kind, 'openssl');
    const title = `lists a folder and sends parts of files with odd names through ${kind}`;
    test.skipIf(skipReason !== null)(`${title} ${skipReason ?? ''}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'catalog-proxy-'));
      const port = Number(new URL(dav.app.url).port);
      const proxy = await startProxy(kind, folder, [port, port]);
      onTestFinished(async () => {
        await proxy.stop();
        await rm(folder, { recursive: true });
      });
      async function request(method: string, path: string, more: Record<string, string> = {}) {
        const headers = { authorization: dav.basic, host: new URL(dav.app.url).host, ...more };
        const outgoing = https.request(`${proxy.origin}${path}`, {
          ...{ method, headers, agent: false, rejectUnauthorized: false },
        });
        outgoing.end();
        const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
        const body = Buffer.concat(await response.toArray());
        return { status: response.statusCode, headers: response.headers, text: body.toString() };
      }
      const listed = await request('PROPFIND', '/dav/All/es-de/ROMs/gb/', { depth: '1' });
      expect(listed.status).toBe(207);
      expect(listed.text.split('<D:getetag>')).toHaveLength(oddNames.length + 1);
      expect((await request('OPTIONS', '/dav/')).headers.dav).toBe('1');
      for (const name of oddNames) {
        const path = `/dav/All/es-de/ROMs/gb/${encodeURIComponent(`${name}.gb`)}`;
        const part = await request('GET', path, { range: 'bytes=1-' });
        expect([part.status, part.text]).toEqual([206, `${name}.gb`]);
      }
      expect((await request('LOCK', '/dav/x')).status).toBe(405);
    });
  }
});
