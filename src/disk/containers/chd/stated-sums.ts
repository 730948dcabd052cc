import { createHash } from 'node:crypto';
import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, piecesOf, sliceOf } from '../../image-bytes.ts';
import type { ChdHeader } from './header.ts';
import { walkMetadata } from './metadata.ts';
import type { Chd } from './open-chd.ts';

/** Flag of a metadata entry that is included in the overall SHA-1. */
const IS_SUMMED = 1;
/** Maximum total size of the metadata, in bytes. Real files have a few KiB. */
const MAX_METADATA_BYTES = 64 * 1024 * 1024;

/**
 * Wraps a CHD so that its hunks are hashed in order while they are read. If a read skips hunks,
 * such as padding between tracks, the wrapper reads and hashes the skipped hunks too. `end` reads
 * the remaining hunks, and returns the SHA-1 of the image in the form that the CHD stores, with
 * subchannels.
 */
export function hashingChd(chd: Chd): { chd: Chd; end(): Promise<string> } {
  const sha1 = createHash('sha1');
  let next = 0;
  const passUpTo = async (last: number) => {
    for (; next <= last; next += 1) {
      const left = chd.size - next * chd.hunkBytes;
      await chd.hunk(next, (bytes) => sha1.update(bytes.subarray(0, left)));
    }
  };
  return {
    chd: {
      ...chd,
      async hunk(index, use) {
        await passUpTo(index);
        return chd.hunk(index, use);
      },
    },
    async end() {
      await passUpTo(Math.ceil(chd.size / chd.hunkBytes) - 1);
      return sha1.digest('hex');
    },
  };
}

/**
 * Compares an image's SHA-1 with the header. Returns null if the SHA-1 matches, or if the header
 * states none. Otherwise returns a sentence in which "it" is the CHD.
 */
export function contentProblem({ rawSha1 }: ChdHeader, sha1: string): string | null {
  const isOther = rawSha1 !== null && rawSha1 !== sha1;
  return isOther ? 'its content has another SHA-1 than its header states' : null;
}

/**
 * Like `contentProblem`, but compares the metadata. Throws a `CatalogError` of kind `refused` if
 * the metadata is truncated or has more than 64 MiB.
 *
 * Source: mamedev/mame `src/lib/util/chd.cpp`, `compute_overall_sha1`. The overall SHA-1 is that of
 * these bytes:
 * - the image's SHA-1;
 * - for each metadata entry with the flag `IS_SUMMED`, the tag and the SHA-1 of the entry's data.
 *   These pairs are sorted by their bytes.
 */
export async function metadataProblem(file: ImageBytes, header: ChdHeader): Promise<string | null> {
  if (header.sha1 === null || header.rawSha1 === null) return null;
  const pieces: Buffer[] = [];
  let total = 0;
  for await (const { tag, flags, start, length } of walkMetadata(file, header)) {
    if ((flags & IS_SUMMED) === 0) continue;
    total += length;
    if (total > MAX_METADATA_BYTES) throw refused('it is damaged: its metadata is too long');
    const sha1 = createHash('sha1');
    for await (const piece of piecesOf(sliceOf(file, start, length))) sha1.update(piece);
    pieces.push(Buffer.concat([Buffer.from(tag, 'latin1'), sha1.digest()]));
  }
  const whole = createHash('sha1').update(Buffer.from(header.rawSha1, 'hex'));
  for (const piece of pieces.sort(Buffer.compare)) whole.update(piece);
  const isOther = whole.digest('hex') !== header.sha1;
  return isOther ? 'its metadata is not that of which its header states the SHA-1' : null;
}
