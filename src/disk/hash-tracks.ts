import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ImageTrack } from '../core/library/identity.ts';
import { refused } from '../core/shared/errors.ts';

/**
 * The same pieces, of which every track is hashed on the way; `hashed` gets the tracks one by one. Throws a refused
 * `CatalogError` when the image ends before the last track does.
 */
export async function* hashingTracks(
  pieces: AsyncIterable<Buffer>,
  tracks: readonly ImageTrack[],
  hashed: ImageTrack[],
): AsyncGenerator<Buffer> {
  let current = newTrack(tracks[0]);
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length && current !== null; ) {
      const part = piece.subarray(at, at + current.left);
      current.add(part);
      at += part.length;
      if (current.left > 0) break;
      hashed.push(current.end());
      current = newTrack(tracks[hashed.length]);
    }
    yield piece;
  }
  if (current !== null) throw refused('it is cut, or its sheet says that its tracks are longer');
}

function newTrack(track: ImageTrack | undefined) {
  if (track === undefined) return null;
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  let sum = 0;
  const hashing = {
    left: track.size,
    add(part: Buffer) {
      sum = crc32(part, sum);
      md5.update(part);
      sha1.update(part);
      hashing.left -= part.length;
    },
    end(): ImageTrack {
      const hex = sum.toString(16).padStart(8, '0');
      return { ...track, hashes: { crc32: hex, md5: md5.digest('hex'), sha1: sha1.digest('hex') } };
    },
  };
  return hashing;
}
