import { areasOf } from './areas.ts';
import type { Candidate } from './candidate.ts';
import type { DiscKind, Edition, Identity } from './identity.ts';

// Names follow the conventions of No-Intro and Redump: `A game (USA) (Disc 2) (Rev 1) (v1.02)`.

const withAreas: readonly (DiscKind | null)[] = [
  'saturn',
  'dreamcast',
  'mega-cd',
  'xbox',
  'xbox-360',
];

/**
 * Whether a release contradicts what the image states: it is another disc of the set, or another
 * version. If discs of several regions share a printed number (Sega, Xbox), also whether it is for
 * a region where the image cannot be played.
 */
export function contradicts(
  candidate: Candidate,
  { disc, edition }: Pick<Identity, 'disc' | 'edition'>,
): boolean {
  const named = numberIn(candidate, discLabel);
  if (edition.disc !== null && named !== null && named !== edition.disc) return true;
  const isElsewhere =
    edition.areas.length > 0 && areasOf(candidate.region).size > 0 && !hasArea(candidate, edition);
  return (withAreas.includes(disc) && isElsewhere) || !mayHaveVersion(candidate, edition);
}

/**
 * Whether a release is the disc of the set that the image states; a release without a number may be
 * the first disc.
 */
export function hasDisc(candidate: Candidate, { disc }: Edition, gameCode: string): boolean {
  if (disc === null) return false;
  const number = numberIn(candidate, discLabel) ?? numberInSerial(candidate, gameCode);
  return number === null ? disc === 1 : number === disc;
}

/**
 * Whether a release is of the revision that the image states; a release without a number is the
 * first revision.
 */
export function hasRevision(candidate: Candidate, { revision }: Edition): boolean {
  return revision !== null && (numberIn(candidate, /\(Rev (\d{1,2})\)/i) ?? 0) === revision;
}

/** Whether a release names the version that the image states. */
export function hasVersion(candidate: Candidate, { version }: Edition): boolean {
  return version !== null && labelIn(candidate, versionLabel) === version;
}

/**
 * Whether a release is a preview. A preview may state the version of the final game, without being
 * named for it.
 */
export function isPreview({ names }: Candidate): boolean {
  return names.some((name) => /\((?:Beta|Proto|Demo|Sample|Taikenban|Tentou)/i.test(name));
}

/** Whether a release names no other version in the same form as the image's. */
function mayHaveVersion(candidate: Candidate, { version }: Edition): boolean {
  const named = labelIn(candidate, versionLabel);
  return version === null || named === null || named.length !== version.length || named === version;
}

/** Whether a release is for a region where, by its own statement, the image can be played. */
export function hasArea(candidate: Candidate, { areas }: Edition): boolean {
  const places = areasOf(candidate.region);
  return areas.some((area) => places.has(area));
}

const discLabel = /\(Dis[ck] (\d{1,2})\)/i;
const versionLabel = /\(v(\d{1,2}\.\d{2,3})\)/i;

function numberIn(candidate: Candidate, label: RegExp): number | null {
  const found = labelIn(candidate, label);
  return found === null ? null : Number(found);
}

/**
 * Returns the label from the first name that has one: a manually renamed release keeps its sources'
 * names.
 */
function labelIn({ names }: Candidate, label: RegExp): string | null {
  for (const name of names) {
    const found = label.exec(name)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns the disc number in a GameCube or Wii serial: 2 for `DL-DOL-GKRE-1-USA`, which counts from
 * 0.
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
