import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faults } from '../../trust/checks/proxies.ts';
import { configs } from '../../trust/proxies/proxy-config.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const settings = {
  folder: '/run/trial',
  upstream: 8123,
  port: 8443,
  plainPort: 8080,
  certificate: '/etc/ssl/catalog.pem',
  key: '/etc/ssl/catalog.key',
};

describe('the check of proxies', () => {
  test.each([
    ['nginx', 'nginx.conf'],
    ['caddy', 'Caddyfile'],
  ] as const)('finds in the file of %s the texts that it replaces', (kind, name) => {
    const file = readFileSync(join(deploy, name), 'utf8');
    const own = configs[kind](file, settings);
    for (const each of ['127.0.0.1:8123', '8443', '8080', settings.certificate, settings.key]) {
      expect(own).toContain(each);
    }
    expect(own).not.toContain('127.0.0.1:8000');
    expect(configs[kind](faults[kind](file), settings)).not.toBe(own);
    expect(() => configs[kind](file.replace('127.0.0.1:8000', ''), settings)).toThrow(
      'it does not hold once: 127.0.0.1:8000',
    );
  });
});
