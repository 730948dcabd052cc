import { createHash } from 'node:crypto';
import { DatRefused, type DatSink } from '../core/imports/dat.ts';
import { AnyDat } from './any-dat.ts';
import type { DatFormat } from './dat-parser.ts';
import { DatDecoder } from './decode.ts';
import { BytesRefused } from './decode-pieces.ts';

/** Properties of a DAT file that was read completely. */
export interface DatFileInfo {
  readonly format: DatFormat;
  /** SHA-256 of the bytes as received, in lower-case hex. */
  readonly sha256: string;
  /** Size of the file in bytes. */
  readonly size: number;
}

/**
 * Reads one DAT file and detects the format from the content. Passes the header and each row to
 * `sink` as soon as they are complete. Only the current row is held in memory. The strings of a row
 * may refer to the memory of a 64 KiB piece of the file. A sink that retains many rows therefore
 * retains the whole file in memory.
 *
 * Throws `DatRefused` if the file is not a complete, well-formed DAT, or exceeds a limit of
 * limits.ts. Before the error, `sink` has received the rows before the invalid line. Errors of
 * `bytes` and `sink` are rethrown.
 */
export async function readDat(
  bytes: AsyncIterable<Uint8Array>,
  sink: DatSink,
): Promise<DatFileInfo> {
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
 * Passes the decoded pieces to the parser. The decoder does not count lines, so a decoding error is
 * reported with the parser's line number.
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
