import { limitOf, ownFields } from '../shared/release-fields.ts';
import { lengthProblem } from '../shared/text-limits.ts';
import type { MetadataFact } from './metadata.ts';
import type { StagedRow } from './staged-row.ts';

/**
 * Returns the reason why a row is refused, "FIELD must be at most ... long", if a text exceeds its
 * limit. Returns null otherwise.
 */
export function tooLong(row: StagedRow | null, facts: readonly MetadataFact[]): string | null {
  const own = ownFields.map((field) => [field, row?.[field] ?? ''] as const);
  const said = facts.map(({ field, value }) => [field, value] as const);
  for (const [field, text] of [...own, ...said]) {
    const problem = lengthProblem(text, limitOf(field));
    if (problem !== null) return `${field} ${problem}`;
  }
  return null;
}
