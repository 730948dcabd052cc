import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type ProxyKind = 'nginx' | 'caddy';

/** The host name used in the files of deploy/. */
export const host = 'catalog.example';
/**
 * Environment with the folder where Debian installs nginx. The PATH of some users does not contain
 * this folder.
 */
export const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Returns the reason why the proxies cannot run on this machine; null if they can. */
export function proxySkipReason(): string | null {
  const missing = ['nginx', 'caddy', 'curl', 'openssl'].filter((tool) => {
    try {
      execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore', env });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? null : `needs the package ${missing.join(', ')}`;
}

/** Makes a certificate for `host`. Returns the paths of the certificate and its key. */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'catalog.pem'), join(folder, 'catalog.key')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  const files = ['-nodes', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...names, ...files], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
