export const areas = ['games', 'videos'] as const;
/** A part of the store. */
export type Area = (typeof areas)[number];

/** `videos` selects the videos area, anything else the games area (account-api.md, endpoint 16). */
export function areaOf(system: string): Area {
  return system === 'videos' ? 'videos' : 'games';
}
