import type { ListedFiles, MergedList, NextList, OwnFiles } from '../list-form.ts';
import {
  isPlayers,
  isUnset,
  itemText,
  mergedItem,
  type NextItem,
  ownItems,
  type PresentItem,
  withPath,
} from './merge-items.ts';
import { type Member, type Playlist, parsePlaylist, valueIn } from './parse-playlist.ts';
import { baseIn, placesIn } from './playlist-places.ts';

const baseName = 'base_content_directory';
/** The member that states the version of the list's format. */
const versionName = 'version';

/**
 * Returns a playlist of RetroArch with the games of a new one. Games of the build get the members
 * of the new list. They keep all others, and the core that a player chose. The members of the list
 * itself, the items of other games, and a player's other items of the same games stay as they are.
 * Returns null if the present list cannot be read.
 */
export function mergePlaylist(
  presentText: string,
  { text, names, earlierNames }: NextList,
  files: ListedFiles,
): MergedList | null {
  const [old, own] = [parsePlaylist(presentText), parsePlaylist(text)];
  if (old === null || own === null) return null;
  const [base = '', folder = ''] = names;
  const [earlierBase = base, , ...addedNames] = earlierNames;
  const { key } = files;
  const places = placesIn(old, [baseIn(own) ?? base, base, earlierBase], { folder, key });
  const ownPlaces = placesIn(own, [base], { folder, key });
  const games = new Map<string, NextItem>();
  for (const item of own.items) {
    const game = ownPlaces.gameAt(valueIn(item.members, 'path'), () => false);
    if (game !== null && !files.isForeign(game.place)) games.set(key(game.place), { item, game });
  }
  const isKnown = (place: string) => games.has(key(place)) || files.isOwn(place);
  const present = old.items.map((item): PresentItem | null => {
    const game = places.gameAt(valueIn(item.members, 'path'), isKnown);
    if (game === null) return null;
    const place = files.renamed(game.place);
    return { item, game, place, key: key(place) };
  });
  const chosen = ownItems(present, games);
  const items = old.items.flatMap((item, at): string[] => {
    const one = present[at] ?? null;
    if (one === null) return [item.raw];
    const next = games.get(one.key);
    const before = one.game.place;
    if (next === undefined) {
      return files.isOwn(before) && !files.isForeign(before) ? [] : [item.raw];
    }
    const first = chosen.get(one.key);
    if (one === first) return [mergedItem(item, next.item, places.pathOf(next.game))];
    if (first !== undefined && !isPlayers(one, first, next)) return [];
    if (one.place === before) return [item.raw];
    const path = places.pathOf({ ...one.game, place: one.place });
    return [itemText(withPath(item, path))];
  });
  const added = [...games].filter(([each]) => !chosen.has(each));
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
 * Returns a playlist of RetroArch without the games of a build. `isEmpty` is true if the playlist
 * then has no games, and no settings that a player made. `names` contains the base folder of the
 * games, their folder below it, and the members of the list that the build added. Returns null if
 * the list cannot be read.
 */
export function stripPlaylist(
  present: string,
  names: readonly string[],
  { isOwn, key }: OwnFiles,
): { text: string; isEmpty: boolean } | null {
  const list = parsePlaylist(present);
  if (list === null) return null;
  const [base = '', folder = '', ...addedNames] = names;
  const places = placesIn(list, [base], { folder, key });
  const items = list.items.filter(({ members }) => {
    const game = places.gameAt(valueIn(members, 'path'), isOwn);
    return game === null || !isOwn(game.place);
  });
  const isLeft = ({ name }: Member) => !addedNames.includes(name);
  const rest = { before: list.before.filter(isLeft), items, after: list.after.filter(isLeft) };
  const isEmpty = items.length === 0 && [...rest.before, ...rest.after].every(saysNothing);
  const isSame = (['before', 'items', 'after'] as const).every(
    (part) => rest[part].length === list[part].length,
  );
  const texts = items.map(({ raw }) => raw);
  return { text: isSame ? present : listText(rest, texts), isEmpty };
}

function hasMember({ before, after }: Playlist, name: string): boolean {
  return [...before, ...after].some((member) => member.name === name);
}

function isBase({ name }: Member): boolean {
  return name === baseName;
}

/** Returns true for a member of a list that is not a setting of a player. */
function saysNothing(member: Member): boolean {
  return member.name === baseName || member.name === versionName || isUnset(member);
}

function listText({ before, after }: Omit<Playlist, 'items'>, items: readonly string[]): string {
  const list =
    items.length === 0 ? '[]' : `[\n${items.map((raw) => `    ${raw}`).join(',\n')}\n  ]`;
  const line = ({ name, raw }: Pick<Member, 'name' | 'raw'>) => `  ${JSON.stringify(name)}: ${raw}`;
  const lines = [...before, { name: 'items', raw: list }, ...after].map(line);
  return `{\n${lines.join(',\n')}\n}\n`;
}
