import { refused } from '../../../../core/shared/errors.ts';
import { type ImageBytes, sliceOf } from '../../../image-bytes.ts';
import { needDictionary } from '../dictionary.ts';
import { addMember, hex32, type MemberList, startOf, waitAtMany } from '../members.ts';
import type { RarFile } from './rar-block.ts';
import { rar4Blocks } from './rar4.ts';
import { rar5Blocks } from './rar5.ts';

/** Reason for not unpacking an encrypted archive. */
export const encrypted = 'it is encrypted: unpack it first';

/**
 * Offset of the signature byte that differs between versions. The byte is 1 in version 5, and 0 in
 * older versions.
 */
const VERSION = 6;

/**
 * Adds the members of a RAR archive (versions 1.5 to 4, and 5) to the list. Each member has a
 * header before its content. Throws a `CatalogError` of kind `refused` if the archive is truncated,
 * damaged or empty, or if the file names are encrypted. After such an error, the list contains the
 * members before the damage.
 */
export async function listRar(file: ImageBytes, list: MemberList): Promise<void> {
  const isNew = (await file.read(VERSION, 1))[0] === 1;
  for await (const block of isNew ? rar5Blocks(file) : rar4Blocks(file)) {
    if (block.kind === 'locked') throw refused(encrypted);
    if (block.kind === 'volume') list.problem ??= 'it is one of several volumes: unpack them first';
    else if (!block.isFolder) addFile(file, list, block);
    await waitAtMany(list);
  }
  if (list.members.length === 0 && list.problem === null) throw refused('it holds no file');
}

function addFile(file: ImageBytes, list: MemberList, block: RarFile): void {
  const { name, size, crc32, start, packedSize, dictionary } = block;
  if (block.isElsewhere) {
    list.problem ??= 'a file of it is a link, or goes on in another volume';
    return;
  }
  if (block.isEncrypted) list.problem ??= encrypted;
  if (!block.isStored) needDictionary(list, Math.min(dictionary, size));
  if (start + packedSize > file.size) throw refused('it is cut: a file in it is not whole');
  const isPlain = block.isStored && !block.isEncrypted && packedSize === size;
  addMember(list, {
    name,
    size,
    crc32: crc32 === null ? null : hex32(crc32),
    openStart: isPlain ? startOf(sliceOf(file, start, size)) : null,
  });
}
