import type { ReleaseItem } from './release.ts';

/**
 * Describes how a release is written as text in a list. The text alternates between `texts` and the
 * values of `fields` as JSON: first text, first value, second text, and so on. `texts` has one
 * element more than `fields`.
 */
export interface ReleaseLayout {
  readonly texts: readonly string[];
  readonly fields: readonly (keyof ReleaseItem)[];
}

/** Tag for a template that contains the names of fields: layout`{"id":${'id'}}`. */
export function layout(
  texts: TemplateStringsArray,
  ...fields: (keyof ReleaseItem)[]
): ReleaseLayout {
  return { texts, fields };
}
