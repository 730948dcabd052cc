import type { Release } from '../../api/model.ts';
import type { Messages } from '../../language/en.ts';

/** The fields that an editor may set, in display order. */
export const fieldNames = [
  'name',
  'title',
  'region',
  'serial',
  'release_date',
  'developer',
  'publisher',
  'genre',
  'description',
  'synopsis',
] as const;
export type FieldName = (typeof fieldNames)[number];
export type Fields = Readonly<Record<FieldName, string>>;

/** Fields whose text may have several lines. */
export const longFields: ReadonlySet<FieldName> = new Set(['description', 'synopsis']);

export function fieldsOf(release: Release): Fields {
  const { name, region, serial, description, meta } = release;
  const { title = '', release_date = '', developer = '', publisher = '' } = meta;
  const { genre = '', synopsis = '' } = meta;
  return {
    name,
    title,
    region,
    serial,
    release_date,
    developer,
    publisher,
    genre,
    description,
    synopsis,
  };
}

export function fieldLabel(field: FieldName, t: Messages): string {
  return field === 'release_date' ? t.releaseDate : t[field];
}
