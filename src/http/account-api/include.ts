import { Type } from 'typebox';

/** The query parameter that asks for fields beyond the document; `fields` are their names, for the reference. */
export const include = (fields: string) =>
  Type.String({ default: '', description: `further fields, by commas: ${fields} (extension)` });

/** The fields that a request asks for. */
export function wantedFields(include: string): ReadonlySet<string> {
  return new Set(include.split(',').map((field) => field.trim()));
}
