import type { ListedFiles, MergedList, NextList } from '../list-form.ts';
import {
  type Member,
  type Playlist,
  type PlaylistItem,
  parsePlaylist,
  valueIn,
} from './parse-playlist.ts';
import { baseIn, type ListedGame, placesIn } from './playlist-places.ts';

const baseName = 'base_content_directory';
/** The members of an item that a player chooses: the build has no core for a game. */
const chosenNames = ['core_path', 'core_name'];
/** The member of a list that says nothing of its player. */
const versionName = 'version';

/**
 * Returns a playlist of RetroArch with the games of a new one. Games of the build get the members
 * of the new list. They keep all others, and the core that a player chose. The members of the list
 * itself and the items of other games stay as they are. Returns null if the present list cannot be
 * read.
 */
export function mergePlaylist(
  present: string,
  { text, names, earlierNames }: NextList,
  files: ListedFiles,
): MergedList | null {
  const [old, own] = [parsePlaylist(present), parsePlaylist(text)];
  if (old === null || own === null) return null;
  const [base = '', folder = ''] = names;
  const [earlierBase = base, , ...addedNames] = earlierNames;
  const places = placesIn(old, [baseIn(own) ?? base, base, earlierBase], folder);
  const ownPlaces = placesIn(own, [base], folder);
  const games = new Map<string, { item: PlaylistItem; game: ListedGame }>();
  for (const item of own.items) {
    const game = ownPlaces.gameAt(valueIn(item.members, 'path'), () => false);
    if (game !== null && !files.isForeign(game.place)) games.set(game.place, { item, game });
  }
  const isKnown = (place: string) => games.has(place) || files.isOwn(place);
  const listed = new Set<string>();
  const items = old.items.flatMap((item): string[] => {
    const before = places.gameAt(valueIn(item.members, 'path'), isKnown)?.place;
    if (before === undefined) return [item.raw];
    const place = files.renamed(before);
    const next = games.get(place);
    if (next === undefined) {
      return files.isOwn(before) && !files.isForeign(before) ? [] : [item.raw];
    }
    if (listed.has(place)) return [];
    listed.add(place);
    return [mergedItem(item, next.item, places.pathOf(next.game))];
  });
  const added = [...games].filter(([place]) => !listed.has(place));
  for (const [, { item, game }] of added) {
    items.push(itemText(withPath(item, places.pathOf(game))));
  }
  const hasBase = hasMember(old, baseName);
  const before = hasBase ? old.before : [...old.before, ...own.before.filter(isBase)];
  return {
    text: listText({ ...old, before }, items),
    names: [baseIn(old) ?? base, folder, ...(hasBase ? addedNames : [baseName])],
  };
}

/**
 * Returns a playlist of RetroArch without the games of a build. `isEmpty` is true if it has no
 * others, and nothing that a player set for the list. `names` are the base folder of the games, the
 * folder of these in it, and the members of the list that the build added. Returns null if the list
 * cannot be read.
 */
export function stripPlaylist(
  present: string,
  names: readonly string[],
  isOwn: ListedFiles['isOwn'],
): { text: string; isEmpty: boolean } | null {
  const list = parsePlaylist(present);
  if (list === null) return null;
  const [base = '', folder = '', ...addedNames] = names;
  const places = placesIn(list, [base], folder);
  const items = list.items.filter(({ members }) => {
    const game = places.gameAt(valueIn(members, 'path'), isOwn);
    return game === null || !isOwn(game.place);
  });
  const isLeft = ({ name }: Member) => !addedNames.includes(name);
  const rest = { before: list.before.filter(isLeft), items, after: list.after.filter(isLeft) };
  const isEmpty = items.length === 0 && [...rest.before, ...rest.after].every(isUnset);
  const isSame = (['before', 'items', 'after'] as const).every(
    (part) => rest[part].length === list[part].length,
  );
  const texts = items.map(({ raw }) => raw);
  return { text: isSame ? present : listText(rest, texts), isEmpty };
}

function mergedItem(old: PlaylistItem, own: PlaylistItem, path: string): string {
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

function withPath({ members }: PlaylistItem, path: string): Member[] {
  return members.map((member) =>
    member.name === 'path' ? { ...member, raw: JSON.stringify(path), value: path } : member,
  );
}

function hasMember({ before, after }: Playlist, name: string): boolean {
  return [...before, ...after].some((member) => member.name === name);
}

function isBase({ name }: Member): boolean {
  return name === baseName;
}

/** Returns true for a member with the value that RetroArch writes if nothing was chosen. */
function isUnset({ name, value }: Member): boolean {
  if (name === baseName || name === versionName) return true;
  return value === 'DETECT' || !value;
}

function itemText(members: readonly Member[]): string {
  const lines = members.map(({ name, raw }) => `      ${JSON.stringify(name)}: ${raw}`);
  return `{\n${lines.join(',\n')}\n    }`;
}

function listText({ before, after }: Omit<Playlist, 'items'>, items: readonly string[]): string {
  const list =
    items.length === 0 ? '[]' : `[\n${items.map((raw) => `    ${raw}`).join(',\n')}\n  ]`;
  const line = ({ name, raw }: Pick<Member, 'name' | 'raw'>) => `  ${JSON.stringify(name)}: ${raw}`;
  const lines = [...before, { name: 'items', raw: list }, ...after].map(line);
  return `{\n${lines.join(',\n')}\n}\n`;
}
