import type { Metadata } from '../../core/releases/release.ts';
import { metaFields } from '../../core/shared/release-fields.ts';

/** The columns of `release_meta` that form a metadata record. */
export const metaColumns = [
  'release_meta.manual',
  ...metaFields.map((field) => `release_meta.${field}` as const),
] as const;

/** A row of `metaColumns`. If the release has no metadata record, all values are null. */
export type MetaRow = { readonly manual: boolean | null } & {
  readonly [field in (typeof metaFields)[number]]: string | null;
};

/**
 * Returns the metadata record in a row, without the fields that are not set. Returns null if the
 * row contains no metadata record.
 */
export function toMetadata(row: MetaRow): Metadata | null {
  const { title, manual } = row;
  if (title === null || manual === null) return null;
  const known = metaFields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]]));
  return { ...Object.fromEntries(known), title, manual };
}
