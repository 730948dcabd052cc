import { type BuildStep, nameKey, type TargetState } from '../plan-build.ts';
import type { ListedFiles } from './list-form.ts';

/**
 * Returns a function that returns true if a path below the target belongs to the build. The folders
 * of a game belong to the build too, because a front end may list a game's folder instead of its
 * file. A former path that a list may still name belongs to the build if no file has that path now.
 */
export function ownPaths(state: TargetState): (path: string) => boolean {
  const own = new Set<string>();
  for (const { path, kind } of state.entries.values()) {
    if (kind !== 'text' || path.endsWith('.m3u')) addWithFolders(own, path);
  }
  for (const path of formerPaths(state)) {
    if (state.found.get(path)?.is === 'missing') own.add(path);
  }
  const keys = new Set([...own].map((path) => nameKey(path, state.ignoresCase)));
  return (path) => keys.has(nameKey(path, state.ignoresCase));
}

/** Returns the former paths of the build's files, and the paths of the folders above them. */
export function formerPaths({ former, lost }: Pick<TargetState, 'former' | 'lost'>): Set<string> {
  const paths = new Set<string>();
  for (const path of [...lost, ...[...former.values()].flat()]) addWithFolders(paths, path);
  return paths;
}

function addWithFolders(paths: Set<string>, path: string): void {
  paths.add(path);
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    paths.add(path.slice(0, end));
  }
}

/** Returns the files of a target for merging the list of the games in the folder `tree`. */
export function listedFiles(
  steps: readonly BuildStep[],
  {
    isOwn,
    former,
    ignoresCase,
  }: { isOwn: (path: string) => boolean } & Pick<TargetState, 'former' | 'ignoresCase'>,
  tree: string,
): ListedFiles {
  const key = (path: string) => nameKey(path, ignoresCase);
  const renames = new Map<string, string>();
  const foreign = new Set<string>();
  for (const step of steps) {
    if (step.do === 'rename') renames.set(key(step.before.path), step.file.path);
    if (step.do === 'conflict') foreign.add(key(step.path));
  }
  const earlier = new Map<string, string>(
    [...former].flatMap(([now, paths]) => paths.map((path) => [key(path), now])),
  );
  return {
    isOwn: (path) => isOwn(`${tree}/${path}`),
    isForeign: (path) => foreign.has(key(`${tree}/${path}`)),
    renamed(path) {
      const now = earlier.get(key(`${tree}/${path}`)) ?? `${tree}/${path}`;
      const to = renames.get(key(now)) ?? now;
      return to.startsWith(`${tree}/`) ? to.slice(tree.length + 1) : path;
    },
    key,
  };
}
