import type { FieldName, Release } from '../../api/model.ts';
import { en } from '../../language/en.ts';

/** The fields that an editor may set, in display order. */
export const fieldNames = Object.keys(en.fields) as FieldName[];
export type Fields = Readonly<Record<FieldName, string>>;

/** Fields whose text may have several lines. */
export const longFields: ReadonlySet<FieldName> = new Set(['description', 'synopsis']);

/**
 * Returns the texts of a release, from the release itself or from its metadata. A missing text is
 * "".
 */
export function fieldsOf({ meta, ...release }: Release): Fields {
  const texts: Partial<Fields> = { ...meta, ...release };
  return Object.fromEntries(fieldNames.map((name) => [name, texts[name] ?? ''])) as Fields;
}
