import type { FastifyRequest } from 'fastify';

/**
 * An `onRequest` hook that removes ports from the addresses in `X-Forwarded-For`, because some
 * proxies add them. With ports, each connection of a client would seem to have a different address.
 */
export async function stripForwardedPorts({ raw }: FastifyRequest): Promise<void> {
  const forwarded = raw.headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return;
  raw.headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',');
}

/**
 * Removes the port and brackets of an address: `10.0.0.3:1234` becomes `10.0.0.3`; `[::1]:1234` and
 * `[::1]` become `::1`. Returns any other text unchanged.
 */
function withoutPort(entry: string): string {
  const address = entry.trim();
  const [, ipv6] = /^\[([^\]]*)\](?::\d*)?$/.exec(address) ?? [];
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+):\d*$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
