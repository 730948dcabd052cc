/** A range of bytes of a file. Both ends are inclusive and within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a `Range` header for a file of `size` bytes (RFC 9110, 14.1.2). A header that is not
 * exactly one well-formed byte range requests the whole file.
 */
export function parseRange(header: string, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  // The numbers may have thousands of digits. `BigInt` compares the two numbers, because as
  // doubles, different numbers above 2^53 may be equal. Doubles suffice for comparisons with the
  // file's size.
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
