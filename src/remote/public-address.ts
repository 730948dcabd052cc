import type { LookupAddress, LookupOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** A redirect leads to a private address. Thrown by look-ups and before connecting. */
export class PrivateAddress extends Error {
  constructor(address: string) {
    super(`it redirects to a private address (${address})`);
  }
}

// IANA special-purpose registries of IPv4 and IPv6 (RFC 6890), including multicast. In IPv6 only
// 2000::/3 is public.
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, bits, 'ipv4');
}
// Teredo and others, documentation, 6to4 (which can contain any IPv4 address).
special.addSubnet('2001::', 23, 'ipv6');
special.addSubnet('2001:db8::', 32, 'ipv6');
special.addSubnet('2002::', 16, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is on the public Internet; false for anything that is not an address, and for
 * IPv4 inside IPv6.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/**
 * Returns a look-up that fails if any address of a host is not public. A connection uses the
 * addresses of its own look-up, so a name cannot change its address between check and use (DNS
 * rebinding).
 */
export function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    lookup(hostname, options, (error, found: string | LookupAddress[], family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const bad = addresses.find((address) => !isPublicAddress(address));
      if (bad !== undefined) return callback(new PrivateAddress(bad), []);
      callback(null, found, family);
    });
  };
}
