import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { HttpCoverSource } from '../../src/remote/cover-source.ts';
import { failureReason } from '../../src/remote/failure-reason.ts';
import { sendRequest } from '../support/http/client.ts';
import { type Program, type Sandbox, useSandbox, waitForUrl } from '../support/process.ts';
import { png, signal, useCatalog, useSource } from './covers-fixture.ts';
import {
  type Authority,
  openAuthority,
  ownAddress,
  useSecureSource,
  useUpgradingSource,
} from './https-fixture.ts';

const opened = openAuthority();
const skipped = typeof opened === 'string' ? ` (skipped: ${opened})` : '';
const authority = opened as Authority;
afterAll(() => {
  if (skipped === '') authority.close();
});
const unknownAuthority = 'its certificate is not trusted: unable to verify the first certificate';

/** Opens a sandbox with these games imported. The catalogue is closed. */
async function useGames(names: string[]): Promise<Sandbox> {
  const sandbox = await useSandbox();
  await (await useCatalog(names, { data: sandbox.data })).close();
  return sandbox;
}

/**
 * Runs `catalog covers fetch` and returns its report. If `trusted` is set, the process trusts the
 * test's certificate authority.
 */
async function fetchCovers(sandbox: Sandbox, base: string, { trusted = true } = {}) {
  const env = { CATALOG_COVER_SOURCE: base, ...(trusted ? trust() : {}) };
  const { stdout, stderr } = await sandbox.run(['covers', 'fetch', '--json'], { env });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function serveMinimal(sandbox: Sandbox, base: string, env = {}) {
  const args = ['serve', '--minimal', '--host', '127.0.0.1', '--port', '0'];
  const server = sandbox.start(args, { CATALOG_COVER_SOURCE: base, ...env });
  const url = await waitForUrl(server);
  return { server, url };
}

const trust = () => ({ NODE_EXTRA_CA_CERTS: authority.file });

describe.skipIf(skipped !== '')(`the HTTPS cover source with a test authority${skipped}`, () => {
  test('fetches covers from a server whose authority is named in NODE_EXTRA_CA_CERTS', {
    tags: ['full'],
  }, async () => {
    const source = await useSecureSource(authority, ['Game 1', 'Game 2']);
    const sandbox = await useGames(['Game 1', 'Game 2', 'Game 3']);
    const { url } = await serveMinimal(sandbox, source.base, trust());
    expect(await sendRequest(`${url}/api/cover/1`)).toMatchObject({ status: 200 });
    expect((await sendRequest(`${url}/api/cover/3`)).json).toEqual({ error: 'no cover available' });
    const report = { releases: 2, stored: 1, remembered: 1, lastFailure: null };
    expect(await fetchCovers(sandbox, source.base)).toMatchObject(report);
    for (const headers of source.headers) {
      expect(Object.keys(headers).sort()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
    }
  });

  test('logs and remembers a failure when the authority of the server is not trusted', {
    tags: ['full'],
  }, async () => {
    const source = await useSecureSource(authority, ['Game 1']);
    const sandbox = await useGames(['Game 1']);
    const { server, url } = await serveMinimal(sandbox, source.base);
    for (const _ of [1, 2]) {
      const response = await sendRequest(`${url}/api/cover/1`);
      expect(response).toMatchObject({ status: 404, json: { error: 'no cover available' } });
    }
    const warning = {
      release: 1,
      source: source.base,
      reason: unknownAuthority,
      msg: 'could not get a cover from the cover source',
    };
    expect(coverWarnings(server)).toEqual([expect.objectContaining(warning)]);
    const report = await fetchCovers(sandbox, source.base, { trusted: false });
    expect(report).toMatchObject({ remembered: 1, failed: 0 });
    expect(source.headers).toEqual([]);
  });

  test('does not trust a certificate of an unknown authority', async () => {
    const { base, headers } = await useSecureSource(authority, ['Game 1']);
    const source = new HttpCoverSource({ base });
    onTestFinished(() => source.close());
    const terms = { platform: 'Test - Console', names: ['Game 1'] };
    expect(await source.fetch(terms, { signal, isPaced: true })).toMatchObject({
      kind: 'failure',
      reason: unknownAuthority,
    });
    expect(headers).toEqual([]);
  });

  const words = 'explains in words why a certificate for another host is not trusted';
  test(words, { tags: ['full'] }, async () => {
    const source = await useSecureSource(authority, ['Game 1']);
    const sandbox = await useGames(['Game 1']);
    const base = source.base.replace('127.0.0.1', 'localhost');
    const env = { CATALOG_COVER_SOURCE: base, ...trust() };
    const { stdout } = await sandbox.run(['covers', 'fetch'], { env });
    expect(stdout).toMatch(
      /^1 releases: .+, 1 failed \(its certificate is not trusted: Hostname\/IP does not match .+\)\n$/,
    );
    expect(source.headers).toEqual([]);
  });

  test('reports an untrusted authority with `covers fetch`', { tags: ['full'] }, async () => {
    const source = await useSecureSource(authority, ['Game 1']);
    const sandbox = await useGames(['Game 1']);
    const report = await fetchCovers(sandbox, source.base, { trusted: false });
    expect(report).toMatchObject({ failed: 1, lastFailure: unknownAuthority });
  });

  test('sends no credentials from a redirect URL', async () => {
    const source = await useSecureSource(authority, [], (request, response) => {
      if (request.url === '/there') return response.end(png());
      const { host } = request.headers;
      return response.writeHead(302, { location: `https://user:secret@${host}/there` }).end();
    });
    const sandbox = await useGames(['Game 1']);
    expect(await fetchCovers(sandbox, source.base)).toMatchObject({ stored: 1 });
    expect(source.headers.length).toBe(2);
    expect(JSON.stringify(source.headers)).not.toMatch(/authorization|cookie|secret/);
  });

  test('follows a private server from HTTP to HTTPS on the default ports', {
    tags: ['full'],
  }, async (ctx) => {
    const source = await useUpgradingSource(authority, ['Game 1']);
    if (typeof source === 'string') return ctx.skip(source);
    const sandbox = await useGames(['Game 1']);
    const report = await fetchCovers(sandbox, `http://${ownAddress}`);
    expect(report).toMatchObject({ stored: 1, lastFailure: null });
    const path = '/Test%20-%20Console/Named_Boxarts/Game%201.png';
    expect(source.requests).toEqual([`http ${path}`, `https ${path}`]);
  });
});

describe('the failures of the cover source over HTTPS', () => {
  test('are reported in one line for a server without TLS', async () => {
    const { base } = await useSource((_request, response) => response.end(png()));
    const source = new HttpCoverSource({ base: base.replace('http:', 'https:') });
    onTestFinished(() => source.close());
    const terms = { platform: 'P', names: ['x'] };
    expect(await source.fetch(terms, { signal, isPaced: false })).toEqual({
      kind: 'failure',
      reason: 'the TLS handshake fails: wrong version number',
      retryAfterMs: null,
    });
  });

  test('include a timeout for a server that never completes the TLS handshake', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const source = new HttpCoverSource({ base: `https://127.0.0.1:${port}`, timeMs: 300 });
    onTestFinished(() => source.close());
    const terms = { platform: 'P', names: ['x'] };
    expect(await source.fetch(terms, { signal, isPaced: false })).toMatchObject({
      kind: 'failure',
      reason: 'it did not answer within 0.3 s',
    });
  });

  test.each([
    ['expired', Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })],
    [
      'self-signed',
      Object.assign(
        new Error('self-signed certificate; if the root CA is installed locally, ...'),
        {
          code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        },
      ),
    ],
  ])('name the reason for a certificate that is %s', (word, error) => {
    expect(failureReason(error)).toMatch(
      new RegExp(`^its certificate is not trusted: [a-z -]*${word}[a-z -]*$`),
    );
  });

  test('name only the first reason for a host name with several addresses', () => {
    const refused = new Error('connect ECONNREFUSED ::1:1');
    expect(failureReason(new AggregateError([refused, new Error('other')]))).toBe(refused.message);
  });
});

/** Returns the warnings in the log that concern the cover source. */
function coverWarnings(server: Program): unknown[] {
  const lines = server.stderr.split('\n').filter((line) => line.includes('"level":40'));
  return lines.map((line) => JSON.parse(line)).filter((warning) => 'source' in warning);
}
