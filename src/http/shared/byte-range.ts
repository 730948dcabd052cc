/** Both ends inclusive, within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a `Range` header asks of a file of `size` bytes (RFC 9110, 14.1.2). Anything but one well-formed byte range
 * asks for the whole file.
 */
export function parseRange(header: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  // Numbers may have thousands of digits. Doubles keep their order, up to the infinite, but not which of two beyond
  // 2^53 is the larger one.
  if (first === '') return suffix(Number(last), size);
  if (last !== '' && BigInt(last) < BigInt(first)) return 'whole';
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}
