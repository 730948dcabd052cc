import type { HandedFile, KnownFiles, ScannedFiles, ScanStore } from '../ports.ts';
import type { OwnedRoot, RootHosts } from '../root-hosts.ts';
import {
  innerRoots,
  isBelow,
  movePath,
  outerRoots,
  type PlacedRoot,
  type RelatedRoot,
} from './nested-roots.ts';

interface Parts {
  readonly known: KnownFiles;
  readonly scanned: Pick<ScannedFiles, 'roots'>;
  readonly store: Pick<ScanStore, 'handOver' | 'removeRoot'>;
  readonly hosts: Pick<RootHosts, 'list'>;
}

/**
 * Moves the record of every known file to the innermost scanned root that contains the file,
 * without opening files. Returns the number of records moved. If a scanned root contains other
 * roots, records of files below the inner roots move to these roots. If a root is no longer
 * scanned, its records move to the root around it, and the root itself is deleted from the records.
 * `roots` contains each folder once. `given` also contains roots that are scanned under another
 * path.
 */
export async function handOverFiles(
  { roots, given }: { roots: readonly PlacedRoot[]; given: readonly PlacedRoot[] },
  { known, scanned, store, hosts }: Parts,
  { takeOver, signal }: { takeOver: boolean; signal: AbortSignal },
): Promise<number> {
  const recorded = new Map((await hosts.list()).map((one) => [one.path, one]));
  let files = 0;
  for (const root of await scanned.roots()) {
    const owner = recorded.get(root.path);
    if (owner?.isOwn === false && !takeOver) continue;
    const from = given.find((one) => one.root.path === root.path) ?? { root, place: null };
    const takes = (to: RelatedRoot) => isSameHost(owner, recorded.get(to.root.path));
    const inner = innerRoots(from, roots).filter(takes);
    const isScanned = roots.includes(from);
    const outer = isScanned ? undefined : outerRoots(from, roots).find(takes);
    const targetOf = (path: string) => {
      const to = inner.find(({ folder }) => isBelow(folder, path));
      if (to !== undefined) return { root: to.root, path: movePath(path, to.folder, to.root.path) };
      return outer && { root: outer.root, path: movePath(path, root.path, outer.folder) };
    };
    const starts = outer === undefined ? inner.map(({ folder }) => `${folder}/`) : [''];
    for (const start of starts) {
      for await (const page of known.pages(root, start)) {
        signal.throwIfAborted();
        const handed = page.flatMap(({ id, path }): HandedFile[] => {
          const to = targetOf(path);
          return to === undefined ? [] : [{ id, ...to }];
        });
        await store.handOver(root, handed);
        files += handed.length;
        if (handed.length < page.length) break; // all later paths are outside the folder
      }
    }
    if (outer !== undefined) await store.removeRoot(root);
  }
  return files;
}

/**
 * Returns true if records may move between two roots. Records must not move between roots that
 * belong to different hosts.
 */
function isSameHost(one: OwnedRoot | undefined, other: OwnedRoot | undefined): boolean {
  return one === undefined || other === undefined || one.host === other.host;
}
