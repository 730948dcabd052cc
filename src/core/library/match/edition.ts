import { exactLabels } from '../../shared/names/name-labels.ts';
import { discProperties } from '../discs.ts';
import type { Edition, Identity, WorldArea } from '../identity.ts';
import type { Candidate } from './candidate.ts';

const words: Readonly<Record<Exclude<WorldArea, 'europe'>, string>> = {
  japan: 'japan',
  america:
    'usa, america, north america, latin america, south america, united states, canada, mexico, brazil, argentina, colombia, peru',
  korea: 'korea, south korea',
  asia: 'asia, taiwan, hong kong, china, singapore, thailand, malaysia, philippines, indonesia, india',
};

const byWord = new Map<string, WorldArea>(
  Object.entries(words).flatMap(([area, listed]) =>
    listed.split(', ').map((word) => [word, area as WorldArea] as const),
  ),
);

const all = new Set<WorldArea>(['japan', 'america', 'europe', 'korea', 'asia']);

// Release names follow the conventions of No-Intro and Redump: `A game (USA) (Disc 2) (Rev 1)
// (v1.02)`.

/**
 * Returns the rule by which a release contradicts the image, because the release is another disc of
 * the set or another version. On Sega and Xbox, discs for several regions share a printed serial.
 * For these discs, a release also contradicts the image if the release is only for regions where
 * the image cannot be played. Returns null if the release does not contradict the image.
 */
export function contradictionOf(
  candidate: Candidate,
  { disc, edition }: Pick<Identity, 'disc' | 'edition'>,
): 'disc' | 'region' | 'version' | null {
  const named = numberIn(candidate, exactLabels.disc);
  if (edition.disc !== null && named !== null && named !== edition.disc) return 'disc';
  const isElsewhere =
    edition.areas.length > 0 && areasOf(candidate.region).size > 0 && !hasArea(candidate, edition);
  const isShared = disc !== null && discProperties(disc).isSerialShared === true;
  if (isShared && isElsewhere) return 'region';
  return mayHaveVersion(candidate, edition) ? null : 'version';
}

/**
 * Returns true if a release is the disc of the set that the image states. A release without a disc
 * number counts as the first disc.
 */
export function hasDisc(candidate: Candidate, { disc }: Edition, gameCode: string): boolean {
  if (disc === null) return false;
  const number = numberIn(candidate, exactLabels.disc) ?? numberInSerial(candidate, gameCode);
  return number === null ? disc === 1 : number === disc;
}

/**
 * Returns true if a release has the revision that the image states. A release without a revision
 * number counts as revision 0, the first revision.
 */
export function hasRevision(candidate: Candidate, { revision }: Edition): boolean {
  return revision !== null && (numberIn(candidate, exactLabels.revision) ?? 0) === revision;
}

/** Returns true if a release's name contains the version that the image states. */
export function hasVersion(candidate: Candidate, { version }: Edition): boolean {
  return version !== null && labelIn(candidate, exactLabels.version) === version;
}

/**
 * Returns true if a release is a preview (beta, prototype, demo). The image of a preview may state
 * the version of the final game, although the name of the preview does not contain that version.
 */
export function isPreview({ names }: Candidate): boolean {
  return names.some((name) => exactLabels.preview.test(name));
}

/**
 * Returns false if the release's name contains a version that differs from the version in the
 * image. Otherwise returns true. Versions of different lengths are not compared.
 */
function mayHaveVersion(candidate: Candidate, { version }: Edition): boolean {
  const named = labelIn(candidate, exactLabels.version);
  return version === null || named === null || named.length !== version.length || named === version;
}

/**
 * Returns true if a release is for at least one of the regions where the image can be played,
 * according to the image.
 */
export function hasArea(candidate: Candidate, { areas }: Edition): boolean {
  const places = areasOf(candidate.region);
  return areas.some((area) => places.has(area));
}

function numberIn(candidate: Candidate, label: RegExp): number | null {
  const found = labelIn(candidate, label);
  return found === null ? null : Number(found);
}

/**
 * Returns the label from the first name that contains a label. All names are searched, because a
 * manually renamed release still has the names from its sources.
 */
function labelIn({ names }: Candidate, label: RegExp): string | null {
  for (const name of names) {
    const found = label.exec(name)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns the disc number, counted from 1, that a GameCube or Wii serial contains. The serial
 * counts discs from 0, so `DL-DOL-GKRE-1-USA` is disc 2. Returns null if no serial contains a disc
 * number.
 */
function numberInSerial({ serials }: Candidate, gameCode: string): number | null {
  if (gameCode === '') return null;
  const printed = new RegExp(`^(?:..)?(?:DOL|RVL).?${gameCode}(\\d)[A-Z]{3}`);
  for (const serial of serials) {
    const found = printed.exec(serial)?.[1];
    if (found !== undefined) return Number(found) + 1;
  }
  return null;
}

/**
 * Returns the areas of the world that a release's region names. The words `world` and `export`
 * stand for all areas. A country that is not in `words` counts as Europe, because European discs
 * can be played there.
 */
export function areasOf(region: string): ReadonlySet<WorldArea> {
  const areas = new Set<WorldArea>();
  for (const part of region.split(',')) {
    const word = part.trim().toLowerCase();
    if (word === '' || word === 'unknown') continue;
    if (word === 'world' || word === 'export') return all;
    areas.add(byWord.get(word) ?? 'europe');
  }
  return areas;
}
