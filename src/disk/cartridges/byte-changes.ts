/** Changes the bytes of a stream: what goes in in pieces, cut anywhere, comes out in pieces. */
export interface ByteChange {
  /** What is known of the outcome so far; the piece may be overwritten once the next one is asked for. */
  take(piece: Buffer): Iterable<Buffer>;
  /** What is left at the end. */
  end(): Iterable<Buffer>;
}

/** Without the first `count` bytes. */
export function without(count: number): ByteChange {
  let left = count;
  return {
    *take(piece) {
      const cut = Math.min(left, piece.length);
      left -= cut;
      if (cut < piece.length) yield cut === 0 ? piece : piece.subarray(cut);
    },
    end: () => [],
  };
}

/** The words of `width` bytes the other way round, or in pairs of bytes for 2. What is left of a word stays. */
export function swapped(width: 2 | 4): ByteChange {
  return inBlocks(width, (whole) => (width === 2 ? whole.swap16() : whole.swap32()));
}

const HALF = 0x2000;

/** Blocks of 16 KiB, of which the first half holds the odd bytes: the Super Magic Drive's form. */
export function deinterleaved(): ByteChange {
  return inBlocks(2 * HALF, (whole) => {
    const out = Buffer.allocUnsafe(whole.length);
    for (let start = 0; start < whole.length; start += 2 * HALF) {
      for (let at = 0; at < HALF; at++) {
        out[start + 2 * at] = whole[start + HALF + at] as number;
        out[start + 2 * at + 1] = whole[start + at] as number;
      }
    }
    return out;
  });
}

/** With `count` more bytes at the end. */
export function padded(count: number, byte: number): ByteChange {
  const padding = Buffer.alloc(Math.min(count, 256 * 1024), byte);
  return {
    take: (piece) => [piece],
    *end() {
      for (let left = count; left > 0; left -= padding.length) {
        yield left < padding.length ? padding.subarray(0, left) : padding;
      }
    },
  };
}

/** One change after the other. */
export function chained(first: ByteChange, second: ByteChange): ByteChange {
  return {
    *take(piece) {
      for (const part of first.take(piece)) yield* second.take(part);
    },
    *end() {
      for (const part of first.end()) yield* second.take(part);
      yield* second.end();
    },
  };
}

/** `change` is given a copy of whole blocks; what is left of one at the end stays as it is. */
function inBlocks(size: number, change: (whole: Buffer) => Buffer): ByteChange {
  let rest: Buffer = Buffer.alloc(0);
  return {
    *take(piece) {
      const all = Buffer.concat([rest, piece]);
      const whole = all.length - (all.length % size);
      rest = all.subarray(whole);
      if (whole > 0) yield change(all.subarray(0, whole));
    },
    end: () => [rest],
  };
}
