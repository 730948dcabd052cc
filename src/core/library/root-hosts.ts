import type { LibraryRoot } from './library-file.ts';
import type { RootProblem } from './scan/scan-report.ts';
import type { WalkedRoot } from './scan/walk-root.ts';

/**
 * A library root with the name of the host that it belongs to. `isOwn` is true if the root belongs
 * to this host.
 */
export interface OwnedRoot {
  readonly path: string;
  readonly host: string;
  readonly isOwn: boolean;
}

/**
 * Records which host each library root belongs to if several hosts share a database. A root belongs
 * to the host that found files below the root in a scan. Other hosts may have another disk at the
 * same path, so they neither scan the root nor open its files.
 */
export interface RootHosts {
  /** Returns the roots that belong to any host, including this host. */
  list(): Promise<OwnedRoot[]>;
  /**
   * Assigns a root to this host unless the root belongs to another host. With `fromOthers`, the
   * root is assigned even if it belongs to another host. Returns null if the root now belongs to
   * this host. Otherwise returns the name of the other host.
   */
  claim(root: LibraryRoot, options: { fromOthers: boolean }): Promise<string | null>;
  /**
   * Releases a root that belongs to this host, so that other hosts can take it. Does nothing if the
   * root does not belong to this host.
   */
  release(root: LibraryRoot): Promise<void>;
}

/** An implementation for a database that only one host can use. */
export const oneHost: RootHosts = {
  list: async () => [],
  claim: async () => null,
  release: async () => undefined,
};

/**
 * Returns the roots that do not belong to other hosts. This host may open files only below the
 * returned roots.
 */
export async function withoutOtherHosts(
  hosts: RootHosts,
  roots: readonly LibraryRoot[],
): Promise<LibraryRoot[]> {
  const recorded = await hosts.list();
  const others = new Set(recorded.filter(({ isOwn }) => !isOwn).map(({ path }) => path));
  return roots.filter(({ path }) => !others.has(path));
}

/**
 * Divides the roots into roots that this host may scan (`own`) and roots that belong to other hosts
 * (`others`).
 */
export async function divideRoots(
  hosts: RootHosts,
  roots: readonly LibraryRoot[],
  countKnown: (root: LibraryRoot) => Promise<number>,
): Promise<{ own: LibraryRoot[]; others: RootProblem[] }> {
  const own: LibraryRoot[] = [];
  const others: RootProblem[] = [];
  const recorded = new Map((await hosts.list()).map((one) => [one.path, one]));
  for (const root of roots) {
    const { host, isOwn = true } = recorded.get(root.path) ?? {};
    if (isOwn || host === undefined) own.push(root);
    else others.push(problemOf(root, host, await countKnown(root)));
  }
  return { own, others };
}

/**
 * Assigns walked roots with files to this host, and releases empty roots. A root with a problem is
 * neither assigned nor released. `others` contains the roots that another host took meanwhile.
 * `own` contains all other roots.
 */
export async function claimWalked(
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
    const host = isTaken ? await hosts.claim(root, options) : null;
    if (host === null) own.push(one);
    else others.push(problemOf(root, host, knownCount));
  }
  return { own, others };
}

function problemOf(root: LibraryRoot, host: string, known: number): RootProblem {
  const reason = `it belongs to the host ${host}, which alone scans it`;
  return { root: root.path, reason, known, host };
}
