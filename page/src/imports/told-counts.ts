import type { Counts } from '../api/imports.ts';

/** The kinds of change shown in a one-line summary, in order of importance. */
const told = ['new', 'joined', 'changed', 'filled', 'gone', 'pruned'] as const;

export type ToldKind = (typeof told)[number];

/** Returns the sum of each kind over all counts, without zeros. */
export function toldCounts(all: readonly Counts[]): readonly (readonly [ToldKind, number])[] {
  return told
    .map((kind) => [kind, all.reduce((sum, counts) => sum + counts[kind], 0)] as const)
    .filter(([, count]) => count > 0);
}
