import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ImportFile } from '../../core/imports/ports.ts';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import { isZip, looksLikeDat } from './recognise.ts';
import { unreadable } from './unreadable.ts';

/** Publishers put hundreds of DATs into one zip; far more is an attack or another kind of zip. */
const mostMembers = 20_000;
/** The largest DATs are some hundred megabytes. */
const mostMemberBytes = 4 * 1024 ** 3;
/** DATs shrink to a tenth; what unpacks to far more than the zip itself is a bomb. */
const mostGrowth = 200;
const alwaysAllowedBytes = 64 * 1024 ** 2;

/**
 * The DATs in a zip, in the directory's order. Names are only shown, never used as paths. A zip that cannot be read, and
 * a member that is refused, come as files whose reading fails.
 */
export async function datsInZip(path: string): Promise<ImportFile[]> {
  const found: ImportFile[] = [];
  try {
    const zip = await open(path);
    try {
      const entries = await entriesOf(zip);
      refuseBomb(entries, zip.fileSize);
      for (const entry of entries) {
        const file = await memberOf(path, zip, entry);
        if (file !== null) found.push(file);
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    return [...found, unreadable(path, asRefusal(error))];
  }
  return found;
}

function open(path: string): Promise<ZipFile> {
  return openPromise(path, { lazyEntries: true, autoClose: false });
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > mostMembers) {
    throw refused(
      `it holds ${zip.entryCount} files, more than ${mostMembers}: import them from a folder`,
    );
  }
  const { promise, resolve, reject } = Promise.withResolvers<Entry[]>();
  const entries: Entry[] = [];
  zip.on('entry', (entry: Entry) => {
    entries.push(entry);
    zip.readEntry();
  });
  zip.on('end', () => resolve(entries));
  zip.on('error', reject);
  zip.readEntry();
  return promise;
}

function refuseBomb(entries: Entry[], zipBytes: number): void {
  const bytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (bytes <= alwaysAllowedBytes || bytes <= zipBytes * mostGrowth) return;
  throw refused(
    `it says to unpack to ${bytes} bytes, more than ${mostGrowth} times its size: a zip bomb`,
  );
}

/** Null for a folder and for what is no DAT. */
async function memberOf(path: string, zip: ZipFile, entry: Entry): Promise<ImportFile | null> {
  const name = `${path}:${entry.fileName}`;
  if (entry.fileName.endsWith('/')) return null;
  const reason = reasonAgainst(entry);
  if (reason !== null) return unreadable(name, refused(reason));
  const head = await headOf(zip, entry);
  if (isZip(head))
    return unreadable(name, refused('a zip within a zip is not read: unpack it first'));
  if (!looksLikeDat(entry.fileName, head)) return null;
  return { path: name, size: entry.uncompressedSize, read: () => readMember(path, entry) };
}

function reasonAgainst(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'it is encrypted: unpack it first';
  if (entry.uncompressedSize > mostMemberBytes) {
    return `it says to be ${entry.uncompressedSize} bytes, more than a DAT can be`;
  }
  if (![0, 8].includes(entry.compressionMethod)) {
    return `its compression (method ${entry.compressionMethod}) is not known: unpack it first`;
  }
  return null;
}

async function headOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  try {
    for await (const chunk of stream) return (chunk as Buffer).subarray(0, 1024);
    return Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0); // reading it whole will tell what is wrong
  } finally {
    stream.destroy();
  }
}

/** The bytes of a member, checked against its CRC-32, which yauzl leaves to its caller. */
async function* readMember(path: string, entry: Entry): AsyncGenerator<Uint8Array> {
  const zip = await open(path);
  try {
    let sum = 0;
    const stream: Readable = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) throw refused('it is damaged: its checksum (CRC-32) does not match');
  } catch (error) {
    throw asRefusal(error);
  } finally {
    zip.close();
  }
}

/** yauzl, streams and zlib report what is wrong with a zip as errors of many kinds; those of the disk name a call. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CatalogError || 'syscall' in error)
    return error;
  return refused(`the zip cannot be read: ${error.message}`, error);
}
