import type { Counts } from '../api/imports.ts';

/** All kinds of change, most important first. */
export const countKinds: readonly (keyof Counts)[] = [
  ...(['new', 'changed', 'renamed', 'joined', 'filled', 'gone', 'pruned'] as const),
  ...(['protected', 'refused_rows', 'too_long_rows', 'unchanged'] as const),
];

/** The kinds of change that a one-line summary mentions, most important first. */
const summaryKinds = ['new', 'joined', 'changed', 'filled', 'gone', 'pruned'] as const;

export type SummaryKind = (typeof summaryKinds)[number];

/**
 * Adds up the counts of several files or imports. Returns the sum of each kind, but leaves out sums
 * of 0.
 */
export function summaryCounts(all: readonly Counts[]): readonly (readonly [SummaryKind, number])[] {
  return summaryKinds
    .map((kind) => [kind, all.reduce((sum, counts) => sum + counts[kind], 0)] as const)
    .filter(([, count]) => count > 0);
}
