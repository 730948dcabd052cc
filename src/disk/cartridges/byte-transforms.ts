/**
 * A transform of the bytes of a stream. The input may be divided into pieces at any byte. The
 * output is also returned in pieces.
 */
export interface ByteTransform {
  /**
   * Takes the next piece of the input. Returns the output that can be calculated so far. Each
   * returned piece is valid only until the next piece is requested.
   */
  transform(piece: Buffer): Iterable<Buffer>;
  /** Returns the rest of the output at the end of the stream. */
  flush(): Iterable<Buffer>;
}

/** Drops the first `count` bytes. */
export function dropFirst(count: number): ByteTransform {
  let left = count;
  return {
    *transform(piece) {
      const cut = Math.min(left, piece.length);
      left -= cut;
      if (cut < piece.length) yield cut === 0 ? piece : piece.subarray(cut);
    },
    flush: () => [],
  };
}

/**
 * Reverses the bytes in each word of `width` bytes. An incomplete word at the end stays unchanged.
 */
export function swapped(width: 2 | 4): ByteTransform {
  return inBlocks(width, (whole) => (width === 2 ? whole.swap16() : whole.swap32()));
}

const HALF = 0x2000;

/**
 * Restores the byte order of a Super Magic Drive dump. The dump consists of blocks of 16 KiB. Each
 * block contains first the bytes of all odd offsets, then the bytes of all even offsets.
 */
export function deinterleaved(): ByteTransform {
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

/** Appends `count` bytes of value `byte`. */
export function padded(count: number, byte: number): ByteTransform {
  const padding = Buffer.alloc(Math.min(count, 256 * 1024), byte);
  return {
    transform: (piece) => [piece],
    *flush() {
      for (let left = count; left > 0; left -= padding.length) {
        yield left < padding.length ? padding.subarray(0, left) : padding;
      }
    },
  };
}

/** Applies `first` to the stream, then `second` to the result. */
export function chained(first: ByteTransform, second: ByteTransform): ByteTransform {
  return {
    *transform(piece) {
      for (const part of first.transform(piece)) yield* second.transform(part);
    },
    *flush() {
      for (const part of first.flush()) yield* second.transform(part);
      yield* second.flush();
    },
  };
}

/**
 * Returns a transform that calls `change` with copies of complete blocks of `size` bytes. An
 * incomplete block at the end stays unchanged.
 */
function inBlocks(size: number, change: (whole: Buffer) => Buffer): ByteTransform {
  let rest: Buffer = Buffer.alloc(0);
  return {
    *transform(piece) {
      const all = Buffer.concat([rest, piece]);
      const whole = all.length - (all.length % size);
      rest = all.subarray(whole);
      if (whole > 0) yield change(all.subarray(0, whole));
    },
    flush: () => [rest],
  };
}
