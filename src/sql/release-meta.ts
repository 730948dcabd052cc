import type { Metadata } from '../core/releases/release.ts';
import { metaFields } from '../core/shared/release-fields.ts';

/** The columns of `release_meta` that form a metadata record. */
export const metaColumns = [
  'release_meta.manual',
  ...metaFields.map((field) => `release_meta.${field}` as const),
] as const;

/** A row of those columns; all of them are null if there is no record. */
export type MetaRow = { readonly manual: boolean | null } & {
  readonly [field in (typeof metaFields)[number]]: string | null;
};

/** Returns the metadata record of a row, without unset fields; null if there is no record. */
export function toMetadata(row: MetaRow): Metadata | null {
  const { title, manual } = row;
  if (title === null || manual === null) return null;
  const known = metaFields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]]));
  return { ...Object.fromEntries(known), title, manual };
}
