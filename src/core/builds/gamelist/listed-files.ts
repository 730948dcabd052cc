import type { BuildStep, TargetState } from '../plan-build.ts';
import type { ListedFiles } from './merge-gamelist.ts';

/**
 * Returns a function that tells for a path below the target whether the journal names it, or a file
 * in the folder of that name: a front end lists a game's folder instead of its file.
 */
export function ownPaths({ entries }: Pick<TargetState, 'entries'>): (path: string) => boolean {
  const own = new Set<string>();
  for (const { path, kind } of entries.values()) {
    if (kind === 'text' && !path.endsWith('.m3u')) continue;
    own.add(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      own.add(path.slice(0, end));
    }
  }
  return (path) => own.has(path);
}

/** Returns the files of a plan as the list of the games in a folder names them. */
export function listedFiles(
  steps: readonly BuildStep[],
  isOwn: (path: string) => boolean,
  tree: string,
): ListedFiles {
  const renames = new Map<string, string>();
  const foreign = new Set<string>();
  for (const step of steps) {
    if (step.do === 'rename') renames.set(step.before.path, step.file.path);
    if (step.do === 'conflict') foreign.add(step.path);
  }
  return {
    isOwn: (path) => isOwn(`${tree}/${path}`),
    isForeign: (path) => foreign.has(`${tree}/${path}`),
    renamed(path) {
      const to = renames.get(`${tree}/${path}`);
      return to?.startsWith(`${tree}/`) ? to.slice(tree.length + 1) : path;
    },
  };
}
