import type { Counts } from '../api/imports.ts';

/** The changes that are told in one line, in the order in which they matter. */
const told = ['new', 'joined', 'changed', 'filled', 'gone', 'pruned'] as const;

export type ToldKind = (typeof told)[number];

/** Those that there are, of all these together. */
export function toldCounts(all: readonly Counts[]): readonly (readonly [ToldKind, number])[] {
  return told
    .map((kind) => [kind, all.reduce((sum, counts) => sum + counts[kind], 0)] as const)
    .filter(([, count]) => count > 0);
}
