import { isUtf8 } from 'node:buffer';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type ZipFile,
} from 'yauzl';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import type { Draft } from '../draft.ts';
import type { ImageBytes } from '../image-bytes.ts';
import { DirectoryReader } from './zip-directory-reader.ts';

const MOST_MEMBERS = 10_000;
const MOST_NAME = 1024;
const MOST_NAMES = 4 * 1024 * 1024;
const UTF8_FLAG = 0x800;

/**
 * Reads the members of a zip from its directory, whose CRC-32 and sizes are of the uncompressed files. Throws a refused
 * `CatalogError` when it is cut, damaged, or has too many members, with those before in the draft.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3.12 (directory), 4.5.3 (zip64), as read by yauzl.
 */
export async function readZip(file: ImageBytes, draft: Draft): Promise<void> {
  const members: Draft['members'][number][] = [];
  draft.members = members;
  let names = 0;
  await forEachEntry(file, (entry) => {
    const name = nameOf(entry);
    if (name.endsWith('/')) return true;
    names += name.length;
    if (members.length === MOST_MEMBERS || names > MOST_NAMES) {
      throw refused(`it holds more than ${members.length} files`);
    }
    const crc32 = entry.crc32.toString(16).padStart(8, '0');
    members.push({ name, size: entry.uncompressedSize, crc32 });
    draft.imageSize ??= entry.uncompressedSize;
    return true;
  });
  if (members.length === 0) throw refused('it holds no file');
}

/** The member that counts: the first in the directory that is no folder. */
export async function firstMember(file: ImageBytes): Promise<Entry> {
  const found: Entry[] = [];
  await forEachEntry(file, (entry) => {
    if (nameOf(entry).endsWith('/')) return true;
    found.push(entry);
    return false;
  });
  if (found[0] === undefined) throw refused('it holds no file');
  return found[0];
}

/** yauzl and zlib report what is wrong with a zip as plain errors, without a code or with zlib's. */
export function asZipProblem(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CatalogError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError' || (code !== undefined && !code.startsWith('Z_'))) return error;
  return refused(`the zip cannot be read: ${error.message.slice(0, 200)}`, error);
}

/** Calls `visit` with the entries in order, until it gives false. */
async function forEachEntry(file: ImageBytes, visit: (entry: Entry) => boolean): Promise<void> {
  try {
    const zip = await fromRandomAccessReaderPromise(new DirectoryReader(file), file.size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    });
    await visitEntries(zip, visit);
  } catch (error) {
    throw asZipProblem(error);
  }
}

function visitEntries(zip: ZipFile, visit: (entry: Entry) => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.on('entry', (entry: Entry) => {
    try {
      if (visit(entry)) zip.readEntry();
      else resolve();
    } catch (error) {
      reject(error);
    }
  });
  zip.on('end', resolve);
  zip.on('error', reject);
  zip.readEntry();
  return promise;
}

/** Names that are UTF-8 but not marked as such are common: zips made on Unix. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | UTF8_FLAG : generalPurposeBitFlag;
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
    .slice(0, MOST_NAME)
    .toWellFormed();
}
