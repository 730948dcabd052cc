import { TextDecoder } from 'node:util';
import { BytesRefused, OtherPieces, type PieceDecoder, Utf8Pieces } from './decode-pieces.ts';

/** Number of bytes at the start of a file that are searched for the XML declaration. */
const HEAD = 1024;

/** Maximum number of bytes that are decoded at once. Larger chunks of the file are divided. */
const PIECE = 64 * 1024;

/**
 * Decodes the bytes of a file piece by piece. The first of these sources determines the encoding:
 * - the byte order mark (UTF-8 or UTF-16);
 * - the XML declaration (XML 1.0, 4.3.3; labels of the WHATWG Encoding standard);
 * - the default, UTF-8.
 *
 * Throws `BytesRefused` if the declared encoding is unknown or bytes are invalid. Lines before
 * invalid bytes are yielded first.
 */
export class DatDecoder {
  #head: Uint8Array | undefined = new Uint8Array(0);
  #pieces: PieceDecoder | undefined;

  *write(bytes: Uint8Array): Generator<string> {
    let rest = bytes;
    if (this.#head !== undefined) {
      const isEnough = this.#head.length === 0 && bytes.length >= HEAD;
      this.#head = isEnough ? bytes : Buffer.concat([this.#head, bytes]);
      if (this.#head.length < HEAD) return;
      rest = this.#begin();
    }
    yield* this.#decode(rest);
  }

  *end(): Generator<string> {
    if (this.#head !== undefined) yield* this.#decode(this.#begin());
    this.#pieces?.end();
  }

  #begin(): Uint8Array {
    const head = this.#head ?? new Uint8Array(0);
    this.#head = undefined;
    const { label, skip } = encodingOf(head);
    this.#pieces = label === 'utf-8' ? new Utf8Pieces() : new OtherPieces(label);
    return head.subarray(skip);
  }

  *#decode(bytes: Uint8Array): Generator<string> {
    for (let at = 0; at < bytes.length; at += PIECE) {
      yield* (this.#pieces as PieceDecoder).decode(bytes.subarray(at, at + PIECE));
    }
  }
}

function encodingOf(head: Uint8Array): { label: string; skip: number } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { label: 'utf-8', skip: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { label: 'utf-16le', skip: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { label: 'utf-16be', skip: 2 };
  const text = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? 'utf-8';
  const label = knownLabel(declared);
  // The declaration was readable as ASCII, so the file cannot be in UTF-16. The label was left over
  // from a conversion, so the file is decoded as UTF-8.
  return { label: label.startsWith('utf-16') ? 'utf-8' : label, skip: 0 };
}

function knownLabel(declared: string): string {
  try {
    return new TextDecoder(declared).encoding;
  } catch {
    throw new BytesRefused(`unknown encoding ${JSON.stringify(declared.slice(0, 40))}`);
  }
}
