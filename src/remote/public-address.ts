import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A redirect leads to a private address. Thrown by look-ups and before connecting. */
export class PrivateAddress extends Error {
  constructor(address: string) {
    super(`it redirects to a private address (${address})`);
  }
}

/** The only IPv6 addresses that are routed on the public Internet (RFC 4291, 2.4). */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Returns whether an address belongs to the public Internet, by the IANA special-purpose registries
 * (RFC 6890). Returns false for text that is not an address, and for IPv4 inside IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === 'unicast';
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
