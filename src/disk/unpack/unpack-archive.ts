import { refused } from '../../core/shared/errors.ts';
import { isArchive } from '../containers/archives/read-archive.ts';
import { unpackMembers } from '../containers/archives/unpack-members.ts';
import type { UnpackedMember } from '../containers/archives/unpacked-member.ts';
import { openImageFile } from '../image-file.ts';

/**
 * Maximum number of bytes that are read after the last file of a packed tar. Programs write far
 * less padding.
 */
const maxTail = 2 ** 20;

/**
 * Unpacks an archive of the library and yields its files in order, with little memory. Ends soon
 * after the last file, even if much padding follows. Throws a `CatalogError` of kind `refused` if
 * `format` is not an archive, or if the archive is damaged. I/O errors are rethrown.
 */
export async function* unpackArchive(
  path: string,
  format: string,
): AsyncGenerator<UnpackedMember, void, undefined> {
  if (!isArchive(format)) throw refused(`it is not an archive, but ${format}`);
  const file = await openImageFile(path);
  try {
    yield* unpackMembers(path, file, format, { maxTail });
  } finally {
    await file.close();
  }
}
