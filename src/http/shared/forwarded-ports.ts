import type { FastifyRequest } from 'fastify';

/**
 * An `onRequest` hook that takes the ports from the addresses in `X-Forwarded-For`, which some proxies add: with them
 * each connection of one client would count as another address.
 */
export async function stripForwardedPorts({ raw }: FastifyRequest): Promise<void> {
  const forwarded = raw.headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return;
  raw.headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
}

/** `10.0.0.3:1234` is `10.0.0.3`, `[::1]:1234` and `[::1]` are `::1`; all else stays. */
function withoutPort(entry: string): string {
  const address = entry.trim();
  const [, ipv6] = /^\[([^\]]*)\](?::\d*)?$/.exec(address) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+):\d*$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
