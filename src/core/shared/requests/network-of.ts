/**
 * Returns the network of an IP address, because one client can usually use all addresses of its
 * network. The text of an address determines the network:
 * - An IPv4 address is its own network.
 * - An IPv6 address belongs to its /64 (RFC 4291, 2.5.4).
 * - An IPv4-mapped IPv6 address counts as IPv4, in any notation (RFC 4291, 2.5.5.2).
 * - Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/%.*/s, '').toLowerCase().replace(dotted, toGroups);
  const [head = '', tail] = plain.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length));
  const groups = [...before, ...zeros.fill('0'), ...after].map(withoutZeros);
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  if (groups.slice(0, 6).join(':') === ipv4Mapped && high !== undefined && low !== undefined) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const ipv4Mapped = '0:0:0:0:0:ffff';
const dotted = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Converts the four bytes of an IPv4 address to two hexadecimal groups of an IPv6 address. */
function toGroups(_: string, ...bytes: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

const withoutZeros = (group: string) => group.replace(/^0+(?=.)/, '');
