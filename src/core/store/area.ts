export const areas = ['games', 'videos'] as const;
/** One of the two areas of the store. */
export type Area = (typeof areas)[number];

/**
 * Returns the area that a request's `system` selects. `videos` selects the videos area, anything
 * else the games area (account-api.md, endpoint 16).
 */
export function areaOf(system: string): Area {
  return system === 'videos' ? 'videos' : 'games';
}
