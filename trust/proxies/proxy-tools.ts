import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type ProxyKind = 'nginx' | 'caddy';

/** The name that the files of deploy/ have for the host. */
export const host = 'catalog.example';
/** Debian puts nginx where not every user's search path looks. */
export const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Why the proxies cannot be tried here; null where they can. */
export function lackOfProxies(): string | null {
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

/** Makes a certificate for the host; returns the file of it and of its key. */
export function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'catalog.pem'), join(folder, 'catalog.key')];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', '2'];
  const files = ['-nodes', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...names, ...files], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
