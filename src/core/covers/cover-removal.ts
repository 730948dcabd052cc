import type { CoverMiss } from './ports.ts';

/** Stands where a miss has the address of its source; no address is written so. */
const somebody = 'somebody';

/** What is remembered of a release whose cover somebody removed. It counts until a cover is stored again. */
export function removalAt(askedAt: number): CoverMiss {
  return { source: somebody, kind: 'miss', reason: 'the cover was removed', askedAt };
}

/** Whether no cover is to be put there by itself: somebody removed the one that was there. */
export function isRemoval(miss: CoverMiss | null): boolean {
  return miss?.source === somebody;
}
