import { type Member, type PlaylistItem, valueIn } from './parse-playlist.ts';
import type { ListedGame } from './playlist-places.ts';

/** An item of the list that a build is to write. */
export interface NextItem {
  readonly item: PlaylistItem;
  readonly game: ListedGame;
}

/** An item of the existing list below the folder of the games. */
export interface PresentItem extends NextItem {
  /** The path of the game after the build, which may rename it. */
  readonly place: string;
  /** See `ListedFiles.key`. */
  readonly key: string;
}

/** The members of an item that a player chooses. The build itself chooses no core. */
const chosenNames = ['core_path', 'core_name'];

/**
 * Returns the item of each game that belongs to the build, by key. A player may have added other
 * items of the same game, such as one with another core. An item of a game that is renamed to the
 * key is preferred to an item that already has the key.
 */
export function ownItems(
  present: readonly (PresentItem | null)[],
  games: ReadonlyMap<string, NextItem>,
): Map<string, PresentItem> {
  const best = new Map<string, { one: PresentItem; rank: number }>();
  for (const one of present) {
    const next = one === null ? undefined : games.get(one.key);
    if (one === null || next === undefined) continue;
    const rank = likenessOf(one, next) + (isRenamed(one) ? 4 : 0);
    if (rank > (best.get(one.key)?.rank ?? 0)) best.set(one.key, { one, rank });
  }
  return new Map([...best].map(([key, { one }]) => [key, one]));
}

/**
 * Returns how much an item resembles the build's item of the game. Returns 0 for an item with
 * another image of the archive, because a player added that item.
 */
function likenessOf(one: PresentItem, next: NextItem): number {
  const [member, wanted] = [one.game.member, next.game.member];
  if (member === wanted) return 3;
  if (member === '' || wanted === '') return 2;
  // If the archive was replaced by one with another image, the labels are still equal.
  return valueIn(one.item.members, 'label') === valueIn(next.item.members, 'label') ? 1 : 0;
}

/**
 * Returns true if an item belongs to a player, although `first` is the build's item of the same
 * game. An item does not belong to a player if it states nothing that `first` or `next` lacks, or
 * if it names a file that a renamed game replaces.
 */
export function isPlayers(one: PresentItem, first: PresentItem, next: NextItem): boolean {
  if (isRenamed(first) && !isRenamed(one)) return false;
  return [first, next].every((other) => !isRepeated(one, other));
}

function isRenamed({ game, place }: PresentItem): boolean {
  return game.place !== place;
}

function isRepeated(one: NextItem, other: NextItem): boolean {
  if (one.game.member !== other.game.member) return false;
  return one.item.members.every((member) => {
    if (member.name === 'path' || (chosenNames.includes(member.name) && isUnset(member))) {
      return true;
    }
    const same = other.item.members.findLast(({ name }) => name === member.name);
    return same !== undefined && (same.value === member.value || same.raw === member.raw);
  });
}

/**
 * Returns the text of an item after it got the members of the build's item. Keeps all other
 * members, and the core that a player chose.
 */
export function mergedItem(old: PlaylistItem, own: PlaylistItem, path: string): string {
  const members = withPath(own, path).map((member) => {
    const before = old.members.findLast(({ name }) => name === member.name);
    if (before === undefined) return member;
    const isChosen = chosenNames.includes(member.name) && !isUnset(before);
    return isChosen || before.value === member.value ? before : member;
  });
  const isSame = members.every((member) => old.members.includes(member));
  if (isSame) return old.raw;
  const names = new Set(members.map(({ name }) => name));
  return itemText([...members, ...old.members.filter(({ name }) => !names.has(name))]);
}

/** Returns the members of an item with another path. */
export function withPath({ members }: PlaylistItem, path: string): Member[] {
  return members.map((member) =>
    member.name === 'path' ? { ...member, raw: JSON.stringify(path), value: path } : member,
  );
}

/** Returns true for a member with the value that RetroArch writes if nothing was chosen. */
export function isUnset({ value }: Member): boolean {
  return value === 'DETECT' || !value;
}

/** Returns the text of an item. */
export function itemText(members: readonly Member[]): string {
  const lines = members.map(({ name, raw }) => `      ${JSON.stringify(name)}: ${raw}`);
  return `{\n${lines.join(',\n')}\n    }`;
}
