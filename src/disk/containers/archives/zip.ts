import { refused } from '../../../core/shared/errors.ts';
import { readZipEntry, unreadableReason } from '../../../zip/read-entry.ts';
import { zipEntries } from '../../../zip/zip-entries.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import { pullImage } from '../../unpack/stream-image.ts';
import { addMember, hex32, MAX_START_BYTES, type MemberList, waitAtMany } from './members.ts';

/**
 * Adds the members of a zip to the list. The zip's directory states the CRC-32 and the uncompressed
 * size of each file. Throws a `CatalogError` of kind `refused` if the zip is truncated or damaged,
 * or has too many members. After such an error, the list contains the members before the problem.
 */
export async function listZip(file: ImageBytes, list: MemberList): Promise<void> {
  for await (const entry of zipEntries(file)) {
    const { name, size, crc32 } = entry;
    const openStart = async () =>
      pullImage(readZipEntry(file, entry, { readsOnlyStart: true }), size, {
        maxBytes: MAX_START_BYTES,
      });
    const reason = unreadableReason(entry);
    addMember(list, {
      name,
      size,
      crc32: hex32(crc32),
      openStart: reason === null ? openStart : null,
    });
    if (entry.isEncrypted) list.problem ??= reason;
    await waitAtMany(list);
  }
  if (list.members.length === 0) throw refused('it holds no file');
}
