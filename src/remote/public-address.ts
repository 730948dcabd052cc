import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Thrown if a redirect leads to a private address. The address is in the redirect's URL, or is the
 * result of a look-up.
 */
export class PrivateAddress extends Error {
  constructor(address: string) {
    super(`it redirects to a private address (${address})`);
  }
}

/**
 * The IPv6 addresses of the public Internet (RFC 4291, 2.4). All other IPv6 addresses are treated
 * as private.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Returns true if an address belongs to the public Internet, according to the IANA special-purpose
 * registries (RFC 6890). Returns false for text that is not an address, and for IPv4 addresses
 * written as IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return false;
  return parsed.range() === 'unicast';
}

/**
 * Returns a look-up that fails if any address of the host is not public. The connection uses
 * exactly the addresses that were checked, so they cannot change between the check and their use
 * (DNS rebinding).
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
