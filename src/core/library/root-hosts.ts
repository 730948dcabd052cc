import type { LibraryRoot } from './library-file.ts';
import type { RootProblem } from './scan-report.ts';
import type { WalkedRoot } from './walk-root.ts';

/** A root that belongs to a host: to this one, or to one of that name. */
export interface HeldRoot {
  readonly path: string;
  readonly host: string;
  readonly isOwn: boolean;
}

/**
 * Which host each library root belongs to, where several share a database: the one whose scan found files below it. Others
 * may have other disks at the same path, so they neither scan it nor open its files.
 */
export interface RootHosts {
  /** The roots that belong to any host. */
  list(): Promise<HeldRoot[]>;
  /**
   * Makes a root this host's, unless it is another's; with `fromOthers` also then. Returns the name of the host whose it
   * is, null for this one.
   */
  take(root: LibraryRoot, options: { fromOthers: boolean }): Promise<string | null>;
  /** The root is nobody's any more, if it was this host's. */
  release(root: LibraryRoot): Promise<void>;
}

/** Where no other host can have the database. */
export const oneHost: RootHosts = {
  list: async () => [],
  take: async () => null,
  release: async () => undefined,
};

/** Those of the roots whose files this host may open. */
export async function withoutOthers(
  hosts: RootHosts,
  roots: readonly LibraryRoot[],
): Promise<LibraryRoot[]> {
  const held = await hosts.list();
  const others = new Set(held.filter(({ isOwn }) => !isOwn).map(({ path }) => path));
  return roots.filter(({ path }) => !others.has(path));
}

/** The roots that this host may scan, and those that belong to others. */
export async function divideRoots(
  hosts: RootHosts,
  roots: readonly LibraryRoot[],
  countKnown: (root: LibraryRoot) => Promise<number>,
): Promise<{ own: LibraryRoot[]; others: RootProblem[] }> {
  const own: LibraryRoot[] = [];
  const others: RootProblem[] = [];
  const held = new Map((await hosts.list()).map((one) => [one.path, one]));
  for (const root of roots) {
    const { host, isOwn = true } = held.get(root.path) ?? {};
    if (isOwn || host === undefined) own.push(root);
    else others.push(problemOf(root, host, await countKnown(root)));
  }
  return { own, others };
}

/**
 * Takes the walked roots below which files are, and gives back the empty ones. Returns those that another host did not
 * take meanwhile.
 */
export async function takeWalked(
  hosts: RootHosts,
  walked: readonly WalkedRoot[],
  options: { fromOthers: boolean },
): Promise<{ own: WalkedRoot[]; others: RootProblem[] }> {
  const own: WalkedRoot[] = [];
  const others: RootProblem[] = [];
  for (const one of walked) {
    const { root, problem, foundCount, knownCount } = one;
    const isEmpty = foundCount === 0 && knownCount === 0;
    if (problem === null && isEmpty) await hosts.release(root);
    const isTaken = problem === null && !isEmpty;
    const host = isTaken ? await hosts.take(root, options) : null;
    if (host === null) own.push(one);
    else others.push(problemOf(root, host, knownCount));
  }
  return { own, others };
}

function problemOf(root: LibraryRoot, host: string, known: number): RootProblem {
  const reason = `it belongs to the host ${host}, which alone scans it`;
  return { root: root.path, reason, known, host };
}
