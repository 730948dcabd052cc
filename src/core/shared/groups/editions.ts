import type { Medium } from '../names/name-labels.ts';
import { NameEndings, type NameParts, titleOf } from '../names/release-name.ts';
import { compareByCodePoint } from '../text.ts';
import type { Edition, GroupRelease, Traits } from './group.ts';
import { compareRevisions } from './revision-order.ts';

/**
 * Maximum number of discs, and of revisions, for which missing discs are taken from other
 * revisions. Real sets have fewer. The limit bounds the time that forged names can take.
 */
const maxFilled = 50;

interface Member {
  readonly release: GroupRelease;
  readonly parts: Parts;
}

/**
 * The parts of a release except its title. Releases whose names have the same ending may share an
 * object.
 */
export interface Parts {
  readonly traits: Traits;
  readonly revision: string;
  readonly disc: Medium | null;
  readonly discTitle: string;
  /**
   * A key of the parts that discs and revisions have in common. Releases with the same title and
   * the same key differ only in their discs and revisions.
   */
  readonly line: string;
}

/** The releases of one disc, which is a number and a side, by revision. */
type Slot = Map<string, Member[]>;

/**
 * Divides groups of releases into editions. One reader for many groups is faster than one reader
 * for each group, because it caches the parts of names.
 */
export class EditionReader {
  readonly #endings = new NameEndings((name) => ({ name, byRegion: new Map<string, Parts>() }));

  /**
   * Divides the releases of a group into editions. Releases belong to the same edition if their
   * names differ only in the disc. An edition that lacks a disc takes it from the nearest older
   * revision, else from the nearest newer one: often only one disc of a set was revised. If several
   * releases have the same name, each is an edition. The result is ordered by name, and does not
   * depend on the order or the ids of the releases.
   */
  editionsOf(releases: readonly GroupRelease[]): Edition[] {
    const lines = new Map<string, Member[]>();
    for (const release of releases) {
      const parts = this.partsOf(release);
      const key = `${titleOf(release.name)}\n${parts.line}`;
      const line = lines.get(key);
      if (line === undefined) lines.set(key, [{ release, parts }]);
      else line.push({ release, parts });
    }
    return [...lines.values()].flatMap(editionsOfLine).sort(compareEditions);
  }

  partsOf(release: Pick<GroupRelease, 'name' | 'region'>): Parts {
    const { name, byRegion } = this.#endings.of(release.name);
    let parts = byRegion.get(release.region);
    if (parts === undefined) {
      parts = withRegion(name, release.region);
      byRegion.set(release.region, parts);
    }
    return parts;
  }
}

/**
 * Returns the parts of a release. If the release itself has regions, they replace those of its
 * name.
 */
function withRegion(name: NameParts, region: string): Parts {
  const { languages, kinds, revision, disc, discTitle } = name;
  const stated = region.split(',').map((each) => each.trim());
  const own = stated.filter((each) => each !== '');
  const regions = own.length > 0 ? own : name.regions;
  const labels = name.labels.filter((label) => discTitle === '' || label !== discTitle);
  const line = JSON.stringify([regions, languages, labels, disc === null]);
  return { traits: { regions, languages, kinds, labels }, revision, disc, discTitle, line };
}

/** Divides the releases of one group into editions; see `EditionReader`. */
export function editionsOf(releases: readonly GroupRelease[]): Edition[] {
  return new EditionReader().editionsOf(releases);
}

/** Orders editions by their names, then by the names, serials and contents of their discs. */
function compareEditions(one: Edition, other: Edition): number {
  const byName = compareByCodePoint(one.name, other.name);
  if (byName !== 0) return byName;
  for (const [place, { release }] of one.discs.entries()) {
    const counterpart = other.discs[place]?.release;
    const order = counterpart === undefined ? 1 : compareReleases(release, counterpart);
    if (order !== 0) return order;
  }
  return one.discs.length - other.discs.length;
}

function editionsOfLine(members: readonly Member[]): Edition[] {
  const [only] = members;
  if (only !== undefined && members.length === 1) return [editionOf(only.parts.revision, members)];
  const slots = slotsOf(members);
  const revisions = [...new Set(members.map(({ parts }) => parts.revision))].sort(compareRevisions);
  return revisions.flatMap((revision) => {
    const counts = slots.map((slot) => slot.get(revision)?.length ?? 0);
    const count = counts.reduce((max, each) => Math.max(max, each), 0);
    return Array.from({ length: count }, (_, place) =>
      editionOf(revision, discsOf(slots, { revision, revisions, place })),
    );
  });
}

/** Groups the releases of a line by disc. The discs are ordered by number and side. */
function slotsOf(members: readonly Member[]): Slot[] {
  const slots = new Map<string, Slot>();
  for (const member of [...members].sort(compareMembers)) {
    const { number = 0, side = '' } = member.parts.disc ?? {};
    const slot = slots.get(`${number} ${side}`) ?? new Map<string, Member[]>();
    slots.set(`${number} ${side}`, slot);
    const same = slot.get(member.parts.revision);
    if (same === undefined) slot.set(member.parts.revision, [member]);
    else same.push(member);
  }
  return [...slots.values()];
}

function compareMembers(one: Member, other: Member): number {
  const [a, b] = [one.parts.disc, other.parts.disc];
  return (
    (a?.number ?? 0) - (b?.number ?? 0) ||
    compareByCodePoint(a?.side ?? '', b?.side ?? '') ||
    compareReleases(one.release, other.release)
  );
}

/** Orders releases by their names, serials and contents. */
export function compareReleases(one: GroupRelease, other: GroupRelease): number {
  return (
    compareByCodePoint(one.name, other.name) ||
    compareByCodePoint(one.serial, other.serial) ||
    compareByCodePoint(one.content, other.content) ||
    one.id - other.id
  );
}

interface Wanted {
  readonly revision: string;
  /** All revisions of the line, oldest first. */
  readonly revisions: readonly string[];
  /** Place among releases of the same revision and disc. */
  readonly place: number;
}

function discsOf(slots: readonly Slot[], wanted: Wanted): Member[] {
  const canFill = Math.max(slots.length, wanted.revisions.length) <= maxFilled;
  return slots.flatMap((slot) => {
    const same = slot.get(wanted.revision) ?? (canFill ? nearest(slot, wanted) : undefined);
    const member = same?.[Math.min(wanted.place, same.length - 1)];
    return member === undefined ? [] : [member];
  });
}

function nearest(slot: Slot, { revision, revisions }: Wanted): Member[] | undefined {
  const at = revisions.indexOf(revision);
  const order = [...revisions.slice(0, at).reverse(), ...revisions.slice(at + 1)];
  const found = order.find((each) => slot.has(each));
  return found === undefined ? undefined : slot.get(found);
}

function editionOf(revision: string, discs: readonly Member[]): Edition {
  const first = discs.find(({ parts }) => parts.revision === revision) ?? discs[0];
  if (first === undefined) throw new Error('an edition has no disc');
  return {
    name: withoutDisc(first),
    title: titleOf(first.release.name),
    traits: first.parts.traits,
    revision,
    discs: discs.map(({ release, parts }) => ({ release, disc: parts.disc?.number || null })),
  };
}

function withoutDisc({ release, parts: { disc, discTitle } }: Member): string {
  if (disc === null) return release.name;
  const plain = release.name.replace(
    / \((?:dis[ck]|cd|dvd|gd-rom|tape|cassette|cart|side)\b[^()]*\)/i,
    '',
  );
  return discTitle === '' ? plain : plain.replace(` (${discTitle})`, '');
}
