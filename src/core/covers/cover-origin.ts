/** Where a cover came from that nobody uploaded. */
export interface CoverOrigin {
  readonly kind: 'source' | 'disc';
  /** The address, or the image's path and the picture in it; for people. */
  readonly from: string;
}

/** Whose cover lies there; `hand` for one that was uploaded or laid into the folder. */
export type CoverGiver = CoverOrigin['kind'] | 'hand';

/** A cover that a person gave stays, and the source's stays; one from a disc gives way to the source's. */
export function givesWay(current: CoverGiver | null, next: CoverGiver): boolean {
  return next === 'hand' || current === null || (current === 'disc' && next === 'source');
}
