import { createHash } from 'node:crypto';
import type { SheetFile } from './identity.ts';
import { trackNamed } from './track-name.ts';

/** A sheet, and where it lies. */
export interface Sheet {
  readonly path: string;
  readonly files: readonly SheetFile[];
}

/** Files that are matched together, because sheets or their names say that they belong together. */
export interface FileSet {
  /** Another one for other paths. */
  readonly key: string;
  /** In their order. */
  readonly paths: readonly string[];
}

/** A disc has at most 99 tracks. */
const mostNamed = 200;

/**
 * The sets among the files below a root. What sheets name belongs with them, whoever else names it too; of what no sheet
 * names, files of one folder whose names say that they are different tracks of one disc: `X (Track 1).bin`.
 */
export function groupSets(paths: readonly string[], sheets: readonly Sheet[]): FileSet[] {
  const links: string[][] = [];
  const named = new Set<string>();
  const find = fileFinder(paths, sheets);
  for (const sheet of sheets) {
    const files = filesOf(sheet, find).flatMap(({ path }) => path ?? []);
    for (const path of files) named.add(path);
    if (files.length > 0) links.push([sheet.path, ...files]);
  }
  const isSheet = new Set(sheets.map(({ path }) => path));
  const free = paths.filter((path) => !named.has(path) && !isSheet.has(path));
  return joined([...links, ...tracksByName(free)]).map((members) => {
    const ordered = members.toSorted();
    const key = createHash('sha256').update(ordered.join('\0')).digest('base64url').slice(0, 22);
    return { key, paths: ordered };
  });
}

/** The files that a sheet names, and which of those below the root each is; null where none or more than one may be it. */
export function filesOf(
  sheet: Sheet,
  find: (folder: string, name: string) => string | null,
): { file: SheetFile; path: string | null }[] {
  const slash = sheet.path.lastIndexOf('/');
  const folder = sheet.path.slice(0, slash);
  const own = sheet.path.slice(slash + 1).replace(/\.[^.]*$/, '');
  return sheet.files.slice(0, mostNamed).map((file) => {
    const name = file.name.startsWith('*.') ? own + file.name.slice(1) : file.name;
    const path = find(folder, name);
    return { file, path: path === sheet.path ? null : path };
  });
}

/** Finds files in the folders of sheets by their names; in other letters' case where only one file is called so. */
export function fileFinder(
  paths: readonly string[],
  sheets: readonly Sheet[],
): (folder: string, name: string) => string | null {
  const wanted = new Set<string>();
  for (const sheet of sheets)
    filesOf(sheet, (folder, name) => {
      wanted.add(anyCase(folder, name));
      return null;
    });
  const exact = new Set<string>();
  const known = new Map<string, string | null>();
  if (wanted.size > 0) {
    for (const path of paths) {
      const any = path.toLowerCase();
      if (!wanted.has(any)) continue;
      exact.add(path);
      known.set(any, known.has(any) ? null : path);
    }
  }
  return (folder, name) => {
    const path = `${folder}/${name}`;
    return exact.has(path) ? path : (known.get(anyCase(folder, name)) ?? null);
  };
}

const anyCase = (folder: string, name: string) => `${folder}/${name}`.toLowerCase();

/** Files of one folder that are called as tracks of one disc, each another one. */
export function tracksByName(paths: readonly string[]): string[][] {
  const groups = new Map<string, Map<number, string> | null>();
  for (const path of paths) {
    const track = trackNamed(path);
    if (track === null) continue;
    const group = groups.get(track.disc);
    if (group === null) continue;
    if (group?.has(track.number)) groups.set(track.disc, null);
    else groups.set(track.disc, (group ?? new Map()).set(track.number, path));
  }
  return [...groups.values()].flatMap((group) =>
    group !== null && group.size > 1
      ? [[...group].sort(([a], [b]) => a - b).map(([, path]) => path)]
      : [],
  );
}

/** Lists that share members as one each. */
function joined(links: readonly (readonly string[])[]): string[][] {
  const parents = new Map<string, string>();
  const rootOf = (member: string): string => {
    let root = member;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    for (let at = member; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  const members = new Set(links.flat());
  for (const [first = '', ...others] of links) {
    for (const other of others) {
      const [from, to] = [rootOf(other), rootOf(first)];
      if (from !== to) parents.set(from, to);
    }
  }
  return [...Map.groupBy(members, rootOf).values()];
}
