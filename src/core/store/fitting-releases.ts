import { archiveStem, stemsLike } from './archive-name.ts';
import type { FittingRelease, NearName } from './ports.ts';

/** What gives the names of releases around a text, in the order of code points. */
export type FindNamesNear = (text: string) => Promise<readonly NearName[]>;

/**
 * The release that an archive is named like (see `stemsLike`), the one with the lowest id of several; null without one. What
 * cleaning takes from a name leaves its beginning, so that the name is near the archive's in order.
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
