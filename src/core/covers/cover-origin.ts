/** The origin of a cover that was fetched from a source or taken from a disc image. */
export interface CoverOrigin {
  readonly kind: 'source' | 'disc';
  /**
   * The URL of the cover, or the path of the disc image followed by the name of the picture in it.
   * For display.
   */
  readonly from: string;
}

/** The kind of a cover's origin. `manual` means that the cover was uploaded or manually added. */
export type CoverOriginKind = CoverOrigin['kind'] | 'manual';

/**
 * Returns true if a new cover of kind `next` may replace the current one:
 * - An uploaded or manually added cover may replace any cover.
 * - A cover from a source may replace one from a disc image.
 * - Any cover may be stored if there is none.
 */
export function mayReplace(current: CoverOriginKind | null, next: CoverOriginKind): boolean {
  return next === 'manual' || current === null || (current === 'disc' && next === 'source');
}
