export const areas = ['games', 'videos'] as const;
/** One of the two areas of the store. */
export type Area = (typeof areas)[number];

/**
 * Returns the area that a request's `system` selects: the videos area for `videos`, the games area
 * for anything else (account-api.md, endpoint 16).
 */
export function areaOf(system: string): Area {
  return system === 'videos' ? 'videos' : 'games';
}
