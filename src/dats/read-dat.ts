import { createHash } from 'node:crypto';
import { DatRefused, type DatSink } from '../core/imports/dat.ts';
import { AnyDat } from './any-dat.ts';
import type { DatFormat } from './dat-parser.ts';
import { DatDecoder } from './decode.ts';
import { BytesRefused } from './decode-pieces.ts';

/** The facts about a DAT file that was read completely. */
export interface DatRead {
  readonly format: DatFormat;
  /** SHA-256 of the bytes as received, in lower-case hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Reads one DAT file of any format, detected by content. Passes its header and rows to `sink` one
 * by one as they are complete; only the current row is held in memory. The text of a row may share
 * memory with the piece of the file around it (64 KiB). So a sink that keeps rows keeps the file.
 *
 * Throws `DatRefused` when the file is not a complete, well-formed DAT within the limits of
 * limits.ts. Rows before the bad line have then been passed on already. Errors of `bytes` and
 * `sink` pass through.
 */
export async function readDat(bytes: AsyncIterable<Uint8Array>, sink: DatSink): Promise<DatRead> {
  const dat = new AnyDat(sink);
  const decoder = new DatDecoder();
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    parse(dat, decoder.write(chunk));
  }
  parse(dat, decoder.end());
  return { format: dat.end(), sha256: hash.digest('hex'), size };
}

/**
 * Feeds the decoded pieces to the parser. The decoder does not count lines, so an error takes the
 * line of the parser.
 */
function parse(dat: AnyDat, pieces: Iterable<string>): void {
  try {
    for (const text of pieces) {
      const nul = text.indexOf('\0');
      dat.write(nul < 0 ? text : text.slice(0, nul));
      if (nul >= 0) throw new BytesRefused('not a DAT file: it holds NUL characters (binary)');
    }
  } catch (error) {
    if (error instanceof BytesRefused) throw new DatRefused(dat.line, error.message);
    throw error;
  }
}
