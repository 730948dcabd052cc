import { createHash } from 'node:crypto';
import { DatRefused, type DatSink } from '../core/imports/dat.ts';
import { AnyDat } from './any-dat.ts';
import type { DatFormat } from './dat-parser.ts';
import { DatDecoder } from './decode.ts';
import { BytesRefused } from './decode-pieces.ts';

/** What is known of a DAT file once all of it has been read. */
export interface DatRead {
  readonly format: DatFormat;
  /** Of the bytes as they came, lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Reads one DAT file of any of the formats, recognised by content, and hands its header and rows to `sink`
 * one by one as they are complete; only the current row is held. Text of a row may share memory with the
 * piece of the file around it (64 KiB), so a sink that keeps rows keeps the file.
 *
 * Throws `DatRefused` when the file is not a complete, well-formed DAT within the bounds of limits.ts; rows
 * before that line have been handed over already. What `bytes` or `sink` throw passes through.
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

/** Feeds the decoded pieces; the decoder does not know lines, the parser that got all before does. */
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
