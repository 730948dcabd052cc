import type { LibraryRoot } from './library-file.ts';
import type { RootProblem } from './scan-report.ts';
import type { WalkedRoot } from './walk-root.ts';

/**
 * A library root, and the name of the host that it belongs to. `isOwn` is true if that is this
 * host.
 */
export interface HeldRoot {
  readonly path: string;
  readonly host: string;
  readonly isOwn: boolean;
}

/**
 * Records which host each library root belongs to when several hosts share a database. A root
 * belongs to the host whose scan found files below it. Another host may have another disk at the
 * same path, so it neither scans the root nor opens its files.
 */
export interface RootHosts {
  /** Returns the roots that belong to this host or another one. */
  list(): Promise<HeldRoot[]>;
  /**
   * Assigns a root to this host unless it belongs to another one. With `fromOthers`, also takes a
   * root from another host. Returns the name of the other host that keeps the root; null if this
   * host has it.
   */
  take(root: LibraryRoot, options: { fromOthers: boolean }): Promise<string | null>;
  /** Releases a root if it belongs to this host, so that other hosts can take it. */
  release(root: LibraryRoot): Promise<void>;
}

/** The implementation for a database that only one host can use. */
export const oneHost: RootHosts = {
  list: async () => [],
  take: async () => null,
  release: async () => undefined,
};

/** Returns the roots that do not belong to other hosts. This host may open their files. */
export async function withoutOthers(
  hosts: RootHosts,
  roots: readonly LibraryRoot[],
): Promise<LibraryRoot[]> {
  const held = await hosts.list();
  const others = new Set(held.filter(({ isOwn }) => !isOwn).map(({ path }) => path));
  return roots.filter(({ path }) => !others.has(path));
}

/** Divides the roots into those that this host may scan and those that belong to others. */
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
 * Assigns walked roots with files to this host, and releases the empty ones. Returns as `own` the
 * roots that no other host took meanwhile.
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
