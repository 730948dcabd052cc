import { archiveStem, stemsLike } from './archive-name.ts';
import type { FittingRelease, NearName } from './ports.ts';

/** Returns the names of releases around a text, in code point order. */
export type FindNamesNear = (text: string) => Promise<readonly NearName[]>;

/**
 * Returns the release that an archive is named like (see `stemsLike`); of several, the one with the
 * lowest id. Null if there is none. Cleaning leaves the start of a name intact, so that the name is
 * near the archive's in order.
 */
export async function findFittingRelease(
  archive: string,
  namesNear: FindNamesNear,
): Promise<FittingRelease | null> {
  const stem = archiveStem(archive);
  const fitting = (await namesNear(stem)).filter(({ name, isRom }) => {
    const names = isRom ? { titles: [], roms: [name] } : { titles: [name], roms: [] };
    return stemsLike(names).has(stem);
  });
  return fitting.reduce<FittingRelease | null>(
    (first, { release }) => (first === null || release.id < first.id ? release : first),
    null,
  );
}
