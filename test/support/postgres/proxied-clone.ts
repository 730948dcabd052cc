import { onTestFinished } from 'vitest';
import { makeClone } from './clones.ts';
import { makeProxy } from './cutting-proxy.ts';
import type { Installation } from './installations.ts';

/**
 * Creates a catalogue's database for one test. Returns its direct URL and its URL through a proxy.
 */
export async function useProxiedClone(
  installation: Installation,
  change?: (bytes: Buffer) => Buffer,
) {
  const { databaseUrl, drop } = await makeClone(installation);
  onTestFinished(drop);
  const url = new URL(databaseUrl);
  const proxy = await makeProxy(Number(url.port), change);
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { databaseUrl, proxiedUrl: url.href, proxy };
}
