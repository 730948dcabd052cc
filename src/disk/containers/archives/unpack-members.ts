import type { ArchiveFormat } from '../../../core/library/containers.ts';
import { refused } from '../../../core/shared/errors.ts';
import { readZipEntry } from '../../../zip/read-entry.ts';
import { type ZipEntry, zipEntries } from '../../../zip/zip-entries.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import { pullImage } from '../../unpack/stream-image.ts';
import { unpackOnThread } from '../../unpack/unpack-thread.ts';
import { gunzipped } from './gz.ts';
import { addMember, type FoundMember, hex32, MAX_BYTES, newList } from './members.ts';
import { memberListers } from './read-archive.ts';
import { splitIntoMembers } from './split-into-members.ts';
import { isTar, tarFiles } from './tar.ts';
import type { UnpackedMember } from './unpacked-member.ts';
import { withHead } from './with-head.ts';

interface UnpackOptions {
  /**
   * Maximum number of bytes that are unpacked after the last file of a packed tar. They are
   * unpacked to verify the checksum of the whole stream. Default: no limit.
   */
  readonly maxTail?: number;
}

/**
 * Unpacks an archive and yields its files in order. Throws a `CatalogError` of kind `refused` if
 * the archive is damaged, encrypted or above the limits. I/O errors of the archive are rethrown.
 */
export async function* unpackMembers(
  path: string,
  file: ImageBytes,
  archive: ArchiveFormat,
  { maxTail = Infinity }: UnpackOptions = {},
): AsyncGenerator<UnpackedMember> {
  const list = newList();
  await memberListers[archive](file, list);
  if (list.problem !== null) throw refused(list.problem);
  const name = list.members[0]?.name ?? '';
  if (archive === 'gz') yield* membersOfStream(gunzipped(file), { name, maxTail });
  else if (archive === 'tar') yield* membersOfTar(file);
  else if (archive === 'zip') yield* membersOfZip(path, file, list.members);
  else if (archive === '7z' || archive === 'rar') {
    const format = archive === '7z' ? '7z' : await rarFormat(file);
    yield* splitIntoMembers(unpackOnThread({ path, format, maxBytes: list.bytes }), list.members);
  } else {
    const format = archive === 'xz' ? 'xz' : 'zstd';
    const stated = list.members[0]?.size || null;
    const pieces = unpackOnThread({ path, format, maxBytes: MAX_BYTES });
    yield* membersOfStream(pieces, { name, stated, maxTail });
  }
}

async function rarFormat(file: ImageBytes): Promise<'rar' | 'rar5'> {
  return (await file.read(6, 1))[0] === 1 ? 'rar5' : 'rar';
}

async function* membersOfTar(image: ImageBytes): AsyncGenerator<UnpackedMember> {
  const list = newList();
  for await (const { name, size, start } of tarFiles(image)) {
    // Apply the limits of `addMember` here, because a tar inside a packed stream was not listed
    // before.
    addMember(list, { name, size, crc32: null, openStart: null });
    if (list.problem !== null) throw refused(list.problem);
    yield { name, size, crc32: null, pieces: piecesIn(image, start, size) };
  }
}

async function* piecesIn(image: ImageBytes, start: number, size: number) {
  for (let at = 0; at < size; at += MAX_READ) {
    yield image.read(start + at, Math.min(MAX_READ, size - at));
  }
}

/**
 * Yields the members of an unpacked stream. If the stream is a tar, the members are the tar's
 * files. Otherwise the whole stream is one file.
 */
async function* membersOfStream(
  pieces: AsyncGenerator<Buffer>,
  options: UnpackOptions & { readonly name: string; readonly stated?: number | null },
): AsyncGenerator<UnpackedMember> {
  const { name, stated = null, maxTail } = options;
  const { head, all, isWhole } = await withHead(limitTotal(pieces), 512);
  if (!isTar(head)) {
    yield { name, size: isWhole ? head.length : stated, crc32: null, pieces: all };
    return;
  }
  const image = pullImage(all, Infinity, { bufferedBytes: 0 });
  try {
    yield* membersOfTar(image);
    await image.drain(maxTail);
  } finally {
    await image.close();
  }
}

async function* limitTotal(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const piece of pieces) {
    total += piece.length;
    if (total > MAX_BYTES) throw refused('it holds more than 128 GiB, and is not unpacked');
    yield piece;
  }
}

/**
 * Yields the files in a zip. If zlib lacks the compression method of any file, the unpacking
 * program unpacks the whole zip.
 */
async function* membersOfZip(
  path: string,
  file: ImageBytes,
  members: readonly FoundMember[],
): AsyncGenerator<UnpackedMember> {
  const isOdd = members.some(({ openStart }) => openStart === null);
  if (isOdd) {
    const maxBytes = members.reduce((sum, { size }) => sum + size, 0);
    yield* splitIntoMembers(unpackOnThread({ path, format: 'zip', maxBytes }), members);
    return;
  }
  for await (const entry of zipEntries(file)) yield memberOfZip(file, entry);
}

function memberOfZip(file: ImageBytes, entry: ZipEntry): UnpackedMember {
  const { name, size, crc32 } = entry;
  const pieces = readZipEntry(file, entry, { skipsChecksum: true });
  return { name, size, crc32: hex32(crc32), pieces, isSkippable: true };
}
