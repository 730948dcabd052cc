import { refused } from '../../core/shared/errors.ts';
import { isArchive } from '../containers/archives/read-archive.ts';
import { unpackMembers } from '../containers/archives/unpack-members.ts';
import type { UnpackedMember } from '../containers/archives/unpacked-member.ts';
import { openImageFile } from '../image-file.ts';

/** Far more than the padding that programs write at the end of a tar. */
const maxTail = 2 ** 20;

/**
 * Unpacks an archive of the library and yields its files in order, with little memory. Throws a
 * `CatalogError` of kind `refused` if the archive is damaged, and I/O errors. Ends soon after the
 * last file, whatever follows it.
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
