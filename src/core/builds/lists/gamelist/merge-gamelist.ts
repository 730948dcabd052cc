import type { ListedFiles, MergedList, NextList } from '../list-form.ts';
import { type Gamelist, type ListElement, type ListNode, parseGamelist } from './parse-gamelist.ts';

/** The elements that a build writes to each list, if it has their values. */
const commonNames = ['path', 'name', 'desc', 'releasedate', 'developer', 'publisher', 'genre'];
/** The elements that a build may have written to a list without recorded names. */
const allNames = [...commonNames, 'family', 'region', 'image', 'thumbnail'];

/**
 * Returns a `gamelist.xml` with the games of a new one. Games of the build get the elements of the
 * new list, and keep all others, such as `favorite` and `playcount`. Other games stay as they are.
 * In the result, `names` contains the elements that belong to the build. Returns null if the
 * present list cannot be read.
 */
export function mergeGamelist(
  present: string,
  next: Pick<NextList, 'text'>,
  files: ListedFiles,
): MergedList | null {
  const [old, own] = [parseGamelist(present), parseGamelist(next.text)];
  if (old === null || own === null) return null;
  const names = new Set([...commonNames, ...own.nodes.flatMap(namesOf)]);
  const ownGames = new Map<string | null, ListNode>();
  for (const node of own.nodes) {
    if (node.path !== null && !files.isForeign(node.path)) ownGames.set(files.key(node.path), node);
  }
  const listed = new Set<ListNode>();
  const merged = old.nodes.flatMap((node): string[] => {
    if (node.name !== 'game' || node.path === null) return [node.raw];
    const game = ownGames.get(files.key(files.renamed(node.path)));
    if (game !== undefined) {
      if (listed.has(game)) return [];
      listed.add(game);
      const kept = node.elements.filter(({ name }) => !names.has(name));
      return [gameText(node.open, [...game.elements, ...kept])];
    }
    return files.isOwn(node.path) && !files.isForeign(node.path) ? [] : [node.raw];
  });
  const added = [...ownGames.values()].filter((game) => !listed.has(game)).map(({ raw }) => raw);
  return { text: listText(old, [...merged, ...added]), names: [...names] };
}

/**
 * Returns a `gamelist.xml` without the elements that a build wrote. These are the recorded ones, or
 * `allNames` if none are recorded. A game of the build that has other elements keeps them and its
 * path. `isEmpty` is true if nothing is left. Returns null if the list cannot be read.
 */
export function stripGamelist(
  present: string,
  recorded: readonly string[],
  isOwn: (path: string) => boolean,
): { text: string; isEmpty: boolean } | null {
  const names = recorded.length > 0 ? recorded : allNames;
  const list = parseGamelist(present);
  if (list === null) return null;
  const nodes = list.nodes.flatMap((node): string[] => {
    if (node.name !== 'game' || node.path === null || !isOwn(node.path)) return [node.raw];
    const kept = node.elements.filter(({ name }) => !names.includes(name));
    const path = node.elements.filter(({ name }) => name === 'path');
    return kept.length === 0 ? [] : [gameText(node.open, [...path, ...kept])];
  });
  return { text: listText(list, nodes), isEmpty: nodes.length === 0 };
}

function namesOf({ elements }: ListNode): string[] {
  return elements.map(({ name }) => name);
}

function gameText(open: string, elements: readonly ListElement[]): string {
  const tag = open.endsWith('/>') ? `${open.slice(0, -2)}>` : open;
  return `${tag}\n${elements.map(({ raw }) => `\t\t${raw}\n`).join('')}\t</game>`;
}

function listText({ head, tail }: Gamelist, nodes: readonly string[]): string {
  return `${head}\n${nodes.map((node) => `\t${node}\n`).join('')}${tail}`;
}
