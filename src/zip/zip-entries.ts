import { isUtf8 } from 'node:buffer';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel } from 'yauzl';
import { refused } from '../core/shared/errors.ts';
import { DirectoryReader } from './directory-reader.ts';
import type { ZipBytes } from './zip-bytes.ts';

/** A file in a zip as the zip's directory describes it, which may be a lie. */
export interface ZipEntry {
  /** With `/` between folders; at most 1024 characters. For showing and comparing only, never a path. */
  readonly name: string;
  /** Of the uncompressed file, in bytes. */
  readonly size: number;
  /** Of the uncompressed file. */
  readonly crc32: number;
  readonly packedSize: number;
  /** 0 for stored, 8 for deflated (APPNOTE 4.4.5). */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Where its local header lies in the zip. */
  readonly headerOffset: number;
}

const MOST_NAME = 1024;
/** Far above that of any real zip; what is beyond is made to fill the memory. */
const MOST_DIRECTORY = 64 * 1024 * 1024;
const UTF8_FLAG = 0x800;

/**
 * The files in a zip, without its folders, in the order of its directory. Throws a refused `CatalogError` where the
 * directory is cut, damaged or too large, and what reading the bytes throws.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3.12 (directory), 4.5.3 (zip64), as read by yauzl.
 */
export async function* zipEntries(bytes: ZipBytes): AsyncGenerator<ZipEntry> {
  let directoryBytes = 0;
  for await (const entry of yauzlEntries(bytes)) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength + 46;
    if (directoryBytes > MOST_DIRECTORY) {
      throw refused(`its directory is longer than ${MOST_DIRECTORY} bytes`);
    }
    const name = nameOf(entry);
    if (name.endsWith('/')) continue;
    yield {
      name,
      size: entry.uncompressedSize,
      crc32: entry.crc32,
      packedSize: entry.compressedSize,
      method: entry.compressionMethod,
      isEncrypted: entry.isEncrypted(),
      headerOffset: entry.relativeOffsetOfLocalHeader,
    };
  }
}

async function* yauzlEntries(bytes: ZipBytes): AsyncGenerator<Entry> {
  const reader = new DirectoryReader(bytes);
  const options = {
    autoClose: false,
    lazyEntries: true,
    decodeStrings: false,
    validateEntrySizes: false,
  };
  try {
    const zip = await fromRandomAccessReaderPromise(reader, bytes.size, options);
    yield* zip.eachEntry();
  } catch (error) {
    // yauzl tells what is wrong with a zip by plain errors.
    throw reader.failure ?? zipProblem(error as Error);
  }
}

/** What yauzl or zlib says is wrong with a zip, as a refused `CatalogError`. */
export function zipProblem(error: Error): Error {
  return refused(`the zip cannot be read: ${error.message.slice(0, 200)}`, error);
}

/** Names that are UTF-8 but not marked as such are common: zips made on Unix. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
    .slice(0, MOST_NAME)
    .toWellFormed();
}
