import { refused } from '../../../core/shared/errors.ts';
import type { FoundMember } from './members.ts';
import type { UnpackedMember } from './unpacked-member.ts';

/**
 * Divides an unpacked stream into members. The stream contains the files back to back, and the
 * sizes in `members` determine where each file ends. Throws a `CatalogError` of kind `refused` if
 * the stream is shorter or longer than all members together.
 */
export async function* splitIntoMembers(
  pieces: AsyncGenerator<Buffer>,
  members: readonly FoundMember[],
): AsyncGenerator<UnpackedMember> {
  let ahead: Buffer = Buffer.alloc(0);
  async function* next(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (ahead.length === 0) {
        const { done, value } = await pieces.next();
        if (done) throw refused('it is damaged: it holds fewer bytes than it says');
        ahead = value;
      }
      const piece = ahead.subarray(0, left);
      ahead = ahead.subarray(piece.length);
      left -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }
  try {
    for (const { name, size, crc32 } of members) yield { name, size, crc32, pieces: next(size) };
    // Read to the end of the stream, because the unpacking program reports its errors at the end.
    if (!(await pieces.next()).done) throw refused('it is damaged: it holds more than it says');
  } finally {
    await pieces.return(undefined);
  }
}
