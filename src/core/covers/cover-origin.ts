/** The origin of a cover that was not uploaded. */
export interface CoverOrigin {
  readonly kind: 'source' | 'disc';
  /** The URL, or the image's path and the picture in it; for display. */
  readonly from: string;
}

/** The kind of a cover's origin; `hand` for one that was uploaded or manually added. */
export type CoverOriginKind = CoverOrigin['kind'] | 'hand';

/**
 * Returns whether a cover may replace the current one. A cover by hand may replace any, and the
 * source's may replace one from a disc. Any cover may be stored if there is none.
 */
export function mayReplace(current: CoverOriginKind | null, next: CoverOriginKind): boolean {
  return next === 'hand' || current === null || (current === 'disc' && next === 'source');
}
