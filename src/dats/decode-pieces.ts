import { TextDecoder } from 'node:util';

/**
 * Thrown if bytes cannot be decoded as text. The message is shown to the user who imports the file.
 */
export class BytesRefused extends Error {}

const NEWLINE = 0x0a;

/**
 * Decodes the bytes of a file, which are passed in pieces, in order. A piece may end inside a
 * character. `decode` and `end` throw `BytesRefused`.
 */
export interface PieceDecoder {
  decode(piece: Uint8Array): Iterable<string>;
  end(): void;
}

/**
 * Decodes UTF-8. If a piece ends inside a character, the incomplete character is buffered until the
 * next piece. Each piece can therefore be decoded in one call, which is much faster than decoding
 * line by line.
 */
export class Utf8Pieces implements PieceDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #cut: Uint8Array = new Uint8Array(0);

  *decode(piece: Uint8Array): Generator<string> {
    const bytes = this.#cut.length === 0 ? piece : Buffer.concat([this.#cut, piece]);
    const end = bytes.length - cutCharacter(bytes);
    this.#cut = Uint8Array.from(bytes.subarray(end)); // copy, because the caller may reuse `piece`
    const whole = bytes.subarray(0, end);
    const text = this.#tryDecode(whole);
    if (text !== undefined) yield text;
    else yield* this.#linesUntilInvalid(whole);
  }

  end(): void {
    if (this.#cut.length > 0) throw new BytesRefused('the file ends inside a character');
  }

  *#linesUntilInvalid(bytes: Uint8Array): Generator<string> {
    for (const line of linesOf(bytes, 1)) {
      const text = this.#tryDecode(line);
      if (text === undefined) break;
      yield text;
    }
    throw new BytesRefused('bytes that are not valid utf-8');
  }

  #tryDecode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }
}

/**
 * Decodes other encodings line by line. A decoder loses its state when it fails. A larger piece
 * could therefore not be decoded up to the invalid bytes.
 */
export class OtherPieces implements PieceDecoder {
  readonly #label: string;
  readonly #decoder: TextDecoder;

  constructor(label: string) {
    this.#label = label;
    this.#decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  }

  *decode(piece: Uint8Array): Generator<string> {
    for (const line of linesOf(piece, this.#label === 'utf-16le' ? 2 : 1)) {
      yield this.#decode(line, `bytes that are not valid ${this.#label}`);
    }
  }

  end(): void {
    this.#decode(undefined, 'the file ends inside a character');
  }

  #decode(bytes: Uint8Array | undefined, problem: string): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new BytesRefused(problem);
    }
  }
}

/**
 * Returns how many bytes (0 to 3) at the end of `bytes` belong to a character that continues in the
 * next piece.
 */
function cutCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}

/**
 * Yields the lines of `bytes`, including their newlines. `newlineBytes` is the number of bytes from
 * the byte 0A to the end of the line: 2 in UTF-16LE, otherwise 1.
 */
function* linesOf(bytes: Uint8Array, newlineBytes: number): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + newlineBytes;
    yield bytes.subarray(start, end);
    start = end;
  }
}
