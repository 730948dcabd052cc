import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { coversOf } from './covers-fixture.ts';

export interface Authority {
  /** Path of the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  /**
   * A key, and a certificate that the authority issued for 127.0.0.1 and `ownAddress`. The
   * certificate contains no host name.
   */
  readonly key: Buffer;
  readonly cert: Buffer;
  close(): void;
}

/** A loopback address whose default ports no other program uses. */
export const ownAddress = '127.80.43.7';

/**
 * Makes a certificate authority that no process trusts yet. Returns a string with the reason if
 * this machine cannot make one.
 */
export function openAuthority(): Authority | string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-https-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  const make = (name: string, ...more: string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const args = ['req', '-x509', '-days', '2', '-subj', `/CN=${name}`, ...key, ...files, ...more];
    const { error, status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? null : `openssl makes no certificate: ${error?.message ?? stderr}`;
  };
  const names = `subjectAltName=IP:127.0.0.1,IP:${ownAddress}`;
  const issuer = ['-CA', 'authority.pem', '-CAkey', 'authority.key'];
  const problem = make('authority') ?? make('server', ...issuer, '-addext', names);
  if (problem !== null) {
    close();
    return problem;
  }
  const read = (name: string) => readFileSync(join(folder, name));
  const [key, cert] = [read('server.key'), read('server.pem')];
  return { file: join(folder, 'authority.pem'), key, cert, close };
}

export interface SecureSource {
  /** Base URL, for example `https://127.0.0.1:40123`. */
  readonly base: string;
  /** Headers of the received requests, in order. */
  readonly headers: http.IncomingHttpHeaders[];
}

/** Starts an https server with covers of these names. The server stops after the test. */
export async function useSecureSource(
  { key, cert }: Pick<Authority, 'key' | 'cert'>,
  covers: readonly string[],
  respond: http.RequestListener = coversOf(...covers),
): Promise<SecureSource> {
  const headers: http.IncomingHttpHeaders[] = [];
  const server = https.createServer({ key, cert }, (request, response) => {
    headers.push(request.headers);
    respond(request, response);
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { base: `https://127.0.0.1:${port}`, headers };
}

/**
 * Starts a server on the default ports of `ownAddress` that redirects from http to https. Returns a
 * string with the reason if the server cannot listen.
 */
export async function useUpgradingSource(
  authority: Authority,
  covers: readonly string[],
): Promise<string | { requests: string[] }> {
  const requests: string[] = [];
  const plain = http.createServer((request, response) => {
    requests.push(`http ${request.url}`);
    response.writeHead(301, { location: `https://${ownAddress}${request.url}` }).end();
  });
  const secure = https.createServer(authority, (request, response) => {
    requests.push(`https ${request.url}`);
    coversOf(...covers)(request, response);
  });
  try {
    await listen(plain, 80, ownAddress);
    await listen(secure, 443, ownAddress);
  } catch (error) {
    return `nothing can listen on its default ports: ${(error as Error).message}`;
  }
  return { requests };
}

async function listen(server: http.Server, port: number, address: string): Promise<number> {
  server.listen(port, address);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
