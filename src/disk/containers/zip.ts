import { refused } from '../../core/shared/errors.ts';
import { readZipEntry } from '../../zip/read-entry.ts';
import { zipEntries } from '../../zip/zip-entries.ts';
import type { Draft } from '../draft.ts';
import type { ImageBytes } from '../image-bytes.ts';

const MOST_MEMBERS = 10_000;
const MOST_NAMES = 4 * 1024 * 1024;

/**
 * Reads the members of a zip from its directory, whose CRC-32 and sizes are of the uncompressed files. Throws a refused
 * `CatalogError` when it is cut, damaged, or has too many members, with those before in the draft.
 */
export async function readZip(file: ImageBytes, draft: Draft): Promise<void> {
  const members: Draft['members'][number][] = [];
  draft.members = members;
  let names = 0;
  for await (const { name, size, crc32 } of zipEntries(file)) {
    names += name.length;
    if (members.length === MOST_MEMBERS || names > MOST_NAMES) {
      throw refused(`it holds more than ${members.length} files`);
    }
    members.push({ name, size, crc32: crc32.toString(16).padStart(8, '0') });
    draft.imageSize ??= size;
  }
  if (members.length === 0) throw refused('it holds no file');
}

/** The bytes of the member that counts, the first in the directory, checked against its CRC-32. */
export async function* firstMemberPieces(file: ImageBytes): AsyncGenerator<Buffer> {
  for await (const entry of zipEntries(file)) {
    yield* readZipEntry(file, entry);
    return;
  }
  throw refused('it holds no file');
}
