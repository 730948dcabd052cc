import type { ImageTrack } from '../../core/library/identity.ts';
import { refused } from '../../core/shared/errors.ts';
import { RunningHashes } from './running-hashes.ts';

/**
 * Yields the pieces of an image unchanged, and hashes every track at the same time. When a track is
 * complete, adds the track with its hashes to `hashed`. Throws a `CatalogError` of kind `refused`
 * if the image ends before the last track ends.
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
  const hashes = new RunningHashes();
  const hashing = {
    left: track.size,
    add(part: Buffer) {
      hashes.update(part);
      hashing.left -= part.length;
    },
    end(): ImageTrack {
      const { size: _size, ...own } = hashes.digest();
      return { ...track, hashes: own };
    },
  };
  return hashing;
}
