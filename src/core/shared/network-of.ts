/**
 * Returns the network in which a client can use any address: an IPv4 address itself, or the /64 of
 * an IPv6 address (RFC 4291, 2.5.4). Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*/s, '').toLowerCase();
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? [];
  if (mapped !== undefined) return mapped;
  if (!plain.includes(':')) return address;
  const [head = '', tail] = plain.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - before.length - after.length));
  const groups = [...before, ...zeros.fill('0'), ...after];
  return `${groups.slice(0, 4).map(withoutZeros).join(':')}::/64`;
}

const withoutZeros = (group: string) => group.replace(/^0+(?=.)/, '');
