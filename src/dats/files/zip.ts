import { open } from 'node:fs/promises';
import type { ImportFile } from '../../core/imports/ports.ts';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import { readZipEntry, unreadableReason } from '../../zip/read-entry.ts';
import type { ZipBytes } from '../../zip/zip-bytes.ts';
import { type ZipEntry, zipEntries } from '../../zip/zip-entries.ts';
import { libretroEntries } from './libretro.ts';
import { isZip, looksLikeDat } from './recognise.ts';
import { unreadable } from './unreadable.ts';

/**
 * Maximum number of files in a zip. Publishers put hundreds of DATs into one zip. A zip with far
 * more files contains something else, or is an attack.
 */
const maxMembers = 20_000;
/**
 * Maximum number of entries in the directory of a zip. The whole libretro database has 29,000, most
 * of which are not imported.
 */
const maxEntries = 100_000;
/**
 * Maximum uncompressed size of a file in a zip, in bytes. The largest DATs have a few hundred
 * megabytes.
 */
const maxMemberBytes = 4 * 1024 ** 3;
/**
 * Maximum ratio of uncompressed size to zip size. DATs are compressed to about a tenth of their
 * size. A far higher ratio means a zip bomb.
 */
const maxCompressionRatio = 200;
const alwaysAllowedBytes = 64 * 1024 ** 2;

/**
 * Returns the DATs in a zip, in the order of the zip's directory. If the zip is the whole libretro
 * database, returns the DATs of `libretroEntries`, in their order. The names in the directory are
 * only displayed, never used as paths. If the zip is unreadable or a file in the zip is refused,
 * the result contains a file that throws when it is read.
 */
export async function datsInZip(path: string): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  try {
    const zip = await openZipFile(path);
    try {
      const all = await entriesOf(zip);
      const entries = libretroEntries(all) ?? all;
      if (entries.length > maxMembers) throw tooMany(maxMembers);
      refuseBomb(entries, zip.size);
      for (const entry of entries) {
        const file = await memberOf(path, zip, entry);
        if (file !== null) found.push(file);
      }
    } finally {
      await zip.close();
    }
  } catch (error) {
    return [...found, unreadable(path, error)];
  }
  return found;
}

async function entriesOf(zip: ZipBytes): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  for await (const entry of zipEntries(zip)) {
    if (entries.length === maxEntries) throw tooMany(maxEntries);
    entries.push(entry);
  }
  return entries;
}

function tooMany(max: number) {
  return refused(`it holds more than ${max} files: import them from a folder`);
}

function refuseBomb(entries: readonly ZipEntry[], zipBytes: number): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (bytes <= alwaysAllowedBytes || bytes <= zipBytes * maxCompressionRatio) return;
  throw refused(
    `it says to unpack to ${bytes} bytes, more than ${maxCompressionRatio} times its size: a zip bomb`,
  );
}

/**
 * Returns a file of the zip for import, or null if the file is not a DAT. If the file must not be
 * read, the returned file throws when it is read.
 */
async function memberOf(path: string, zip: ZipBytes, entry: ZipEntry): Promise<ImportFile | null> {
  const name = `${path}:${entry.name}`;
  const reason = reasonAgainst(entry);
  if (reason !== null) return unreadable(name, refused(reason));
  const head = await headOf(zip, entry);
  if (isZip(head)) {
    return unreadable(name, refused('a zip within a zip is not read: unpack it first'));
  }
  if (!looksLikeDat(entry.name, head)) return null;
  return { path: name, size: entry.size, read: () => readMember(path, entry) };
}

function reasonAgainst(entry: ZipEntry): string | null {
  if (isOutside(entry.name)) return 'its name is a path that leaves the zip: unpack it first';
  if (entry.size > maxMemberBytes) {
    return `it says to be ${entry.size} bytes, more than a DAT can be`;
  }
  return unreadableReason(entry);
}

function isOutside(name: string): boolean {
  return /^(\/|[a-z]:)/i.test(name) || name.split('/').includes('..');
}

async function headOf(zip: ZipBytes, entry: ZipEntry): Promise<Buffer> {
  try {
    for await (const piece of readZipEntry(zip, entry)) return piece.subarray(0, 1024);
  } catch (error) {
    // Ignore damage here. If the name looks like a DAT, the damage is reported when the whole file
    // is read.
    if (!(error instanceof CatalogError)) throw error;
  }
  return Buffer.alloc(0);
}

async function* readMember(path: string, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const zip = await openZipFile(path);
  try {
    yield* readZipEntry(zip, entry);
  } finally {
    await zip.close();
  }
}

/**
 * Opens a zip, which the caller must close. Throws the operating system's error if the zip cannot
 * be opened or read. `read` throws a `CatalogError` of kind `refused` if the file ends before the
 * requested bytes.
 */
async function openZipFile(path: string): Promise<ZipBytes & { close(): Promise<void> }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return {
      size,
      async read(offset, length) {
        if (offset + length > size) throw refused('it is cut, or points behind its end');
        const buffer = Buffer.allocUnsafe(length);
        for (let done = 0; done < length; ) {
          const { bytesRead } = await handle.read(buffer, done, length - done, offset + done);
          if (bytesRead === 0) throw refused('it became shorter while it was read');
          done += bytesRead;
        }
        return buffer;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
