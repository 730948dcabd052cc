import { archiveStem, stemsLike } from './archive-name.ts';
import type { FittingRelease, NearName } from './ports.ts';

/** Returns names of releases that are close to a text in code point order. */
export type FindNamesNear = (text: string) => Promise<readonly NearName[]>;

/**
 * Returns the release that an archive is named like (see `stemsLike`); null if there is none. If
 * several releases fit, returns the one with the lowest id.
 *
 * Only names close to the archive's stem in code point order are compared. This suffices, because
 * cleaning does not change the start of a name.
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
