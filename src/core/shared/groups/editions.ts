import { parseReleaseName, type ReleaseName } from '../names/release-name.ts';
import { compareByCodePoint } from '../text.ts';
import type { Edition, GroupRelease } from './group.ts';
import { compareRevisions } from './revision-order.ts';

/**
 * Maximum number of discs, and of revisions, for which an edition takes discs of other revisions.
 * Sets with more discs do not exist; names that pretend so must not cost much time.
 */
const maxFilled = 50;

interface Member {
  readonly release: GroupRelease;
  readonly name: ReleaseName;
  readonly regions: readonly string[];
}

/** The discs with one number and side, by revision. */
type Slot = Map<string, Member[]>;

/**
 * Divides the releases of a group into editions. Releases belong to the same edition if their names
 * differ only in the disc. An edition that lacks a disc takes it from the nearest older revision,
 * else from the nearest newer one: often only one disc of a set was revised. If several releases
 * have the same name, each is an edition. The result is ordered by name, and does not depend on the
 * order or the ids of the releases.
 */
export function editionsOf(releases: readonly GroupRelease[]): Edition[] {
  const lines = new Map<string, Member[]>();
  for (const release of releases) {
    const member = memberOf(release);
    const key = lineKey(member);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, [member]);
    else line.push(member);
  }
  return [...lines.values()].flatMap(editionsOfLine).sort(compareEditions);
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

function memberOf(release: GroupRelease): Member {
  const name = parseReleaseName(release.name);
  const stated = release.region.split(',').map((region) => region.trim());
  const regions = stated.filter((region) => region !== '');
  return { release, name, regions: regions.length > 0 ? regions : name.regions };
}

/** Returns the parts in which all discs and revisions of an edition agree. */
function lineKey({ name, regions }: Member): string {
  const { title, languages, disc } = name;
  return JSON.stringify([title, regions, languages, labelsOf(name), disc === null]);
}

/** Returns the labels without the title of the disc. */
function labelsOf({ labels, discTitle }: ReleaseName): string[] {
  return labels.filter((label) => discTitle === '' || label !== discTitle);
}

function editionsOfLine(members: readonly Member[]): Edition[] {
  const slots = slotsOf(members);
  const revisions = [...new Set(members.map(({ name }) => name.revision))].sort(compareRevisions);
  return revisions.flatMap((revision) => {
    const counts = slots.map((slot) => slot.get(revision)?.length ?? 0);
    const count = counts.reduce((most, each) => Math.max(most, each), 0);
    return Array.from({ length: count }, (_, place) =>
      editionOf(revision, discsOf(slots, { revision, revisions, place })),
    );
  });
}

/** Returns the discs of a line, in order. */
function slotsOf(members: readonly Member[]): Slot[] {
  const slots = new Map<string, Slot>();
  for (const member of [...members].sort(compareMembers)) {
    const { number = 0, side = '' } = member.name.disc ?? {};
    const slot = slots.get(`${number} ${side}`) ?? new Map<string, Member[]>();
    slots.set(`${number} ${side}`, slot);
    const same = slot.get(member.name.revision);
    if (same === undefined) slot.set(member.name.revision, [member]);
    else same.push(member);
  }
  return [...slots.values()];
}

function compareMembers(one: Member, other: Member): number {
  const [a, b] = [one.name.disc, other.name.disc];
  return (
    (a?.number ?? 0) - (b?.number ?? 0) ||
    compareByCodePoint(a?.side ?? '', b?.side ?? '') ||
    compareReleases(one.release, other.release)
  );
}

function compareReleases(one: GroupRelease, other: GroupRelease): number {
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
  const first = discs.find(({ name }) => name.revision === revision) ?? discs[0];
  if (first === undefined) throw new Error('an edition has no disc');
  const { title, languages, kinds } = first.name;
  return {
    name: withoutDisc(first),
    title,
    regions: first.regions,
    languages,
    revision,
    kinds,
    labels: labelsOf(first.name),
    discs: discs.map(({ release, name }) => ({ release, disc: name.disc?.number || null })),
  };
}

function withoutDisc({ release, name }: Member): string {
  if (name.disc === null) return release.name;
  const plain = release.name.replace(
    / \((?:dis[ck]|cd|dvd|gd-rom|tape|cassette|cart|side)\b[^()]*\)/i,
    '',
  );
  return name.discTitle === '' ? plain : plain.replace(` (${name.discTitle})`, '');
}
