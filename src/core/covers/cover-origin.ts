/** Where a cover came from that nobody uploaded. */
export interface CoverOrigin {
  readonly kind: 'source' | 'disc';
  /** The address, or the image's path and the picture in it; for people. */
  readonly from: string;
}

/** The kind of a cover's origin; `hand` for one that was uploaded or laid into the folder. */
export type CoverOriginKind = CoverOrigin['kind'] | 'hand';

/** A cover by hand may replace any; the source's one from a disc; both where there is none. All others stay. */
export function mayReplace(current: CoverOriginKind | null, next: CoverOriginKind): boolean {
  return next === 'hand' || current === null || (current === 'disc' && next === 'source');
}
