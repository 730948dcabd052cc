import { isUtf8 } from 'node:buffer';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel } from 'yauzl';
import { refused } from '../core/shared/errors.ts';
import { DirectoryReader } from './directory-reader.ts';
import type { ZipBytes } from './zip-bytes.ts';

/** A file in a zip, as described by the zip's directory. The description may be wrong. */
export interface ZipEntry {
  /**
   * Path with `/` between folders, at most 1024 characters long. Use it only for display and
   * comparison, never as a path on disk.
   */
  readonly name: string;
  /** Size of the uncompressed file in bytes. */
  readonly size: number;
  /** CRC-32 of the uncompressed file. */
  readonly crc32: number;
  readonly packedSize: number;
  /** Compression method: 0 for stored, 8 for deflated (APPNOTE 4.4.5). */
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Offset of the file's local header in the zip, in bytes. */
  readonly headerOffset: number;
}

const MAX_NAME_LENGTH = 1024;
/**
 * Maximum size of a zip's directory, in bytes. This is far above any real size. A larger directory
 * can only be an attempt to exhaust memory.
 */
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const UTF8_FLAG = 0x800;

/**
 * Yields the files in a zip, without folders, in the order of the zip's directory. Throws a
 * `CatalogError` of kind `refused` if the directory is truncated, damaged or too large. Errors from
 * reading the bytes are rethrown.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3.12 (directory), 4.5.3 (zip64), as implemented by yauzl.
 */
export async function* zipEntries(bytes: ZipBytes): AsyncGenerator<ZipEntry> {
  let directoryBytes = 0;
  for await (const entry of yauzlEntries(bytes)) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength + 46;
    if (directoryBytes > MAX_DIRECTORY_BYTES) {
      throw refused(`its directory is longer than ${MAX_DIRECTORY_BYTES} bytes`);
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
    // An error from reading the bytes is thrown unchanged. All other errors from yauzl are about
    // the zip's content.
    throw reader.failure ?? zipProblem(error as Error);
  }
}

/** Converts an error from yauzl or zlib about a zip to a `CatalogError` of kind `refused`. */
export function zipProblem(error: Error): Error {
  return refused(`the zip cannot be read: ${error.message.slice(0, 200)}`, error);
}

/**
 * Decodes a file name. Zips made on Unix often contain UTF-8 names without the UTF-8 flag. Valid
 * UTF-8 is therefore always decoded as UTF-8.
 */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
}
