import {
  type EditableField,
  editableFields,
  limitOf,
  type MetaField,
  metaFields,
  type OwnTexts,
} from '../shared/release-fields.ts';
import { checkLength } from '../shared/text-limits.ts';

/** The fields of a release in a list. */
export interface ReleaseItem {
  readonly id: number;
  readonly system: string;
  readonly name: string;
  readonly region: string;
  readonly serial: string;
}

/** One file of a release, as the DAT lists it. A missing text is "", a missing size is 0. */
export interface Rom {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
  readonly serial: string;
}

/** The metadata record of a release. A field without a value is absent. */
export type Metadata = { readonly title: string; readonly manual: boolean } & {
  readonly [field in Exclude<MetaField, 'title'>]?: string;
};

export interface ReleaseDetail extends ReleaseItem, OwnTexts {
  readonly roms: readonly Rom[];
  /** The metadata record; null when there is none. */
  readonly meta: Metadata | null;
}

/** The data that one source has of a release. */
export interface SourceRow extends OwnTexts {
  /** Id of the source. */
  readonly id: number;
  /** The name of the source: the name that was set at the import, or else the name in the DAT. */
  readonly source: string;
  /** True if the release's values come from this row. Fields that users edited override them. */
  readonly shown: boolean;
  /** True if the newest version of the source no longer contains this row. */
  readonly gone: boolean;
}

/** A field of a release that a user edited. */
export interface EditedField {
  readonly field: EditableField;
  /** ISO 8601. */
  readonly editedAt: string;
  /** The value that the field would have without the edit; null when no import has such a value. */
  readonly imported: string | null;
}

/** The changes that a user makes to a release. A missing field is not changed. */
export type ReleaseEdit = { readonly [field in EditableField]?: string };

/** Throws a 422 that names the first field whose text is too long. */
export function checkLengths(edit: ReleaseEdit): void {
  for (const field of editableFields) {
    checkLength(field, edit[field] ?? '', limitOf(field));
  }
}

export function touchesMetadata(edit: ReleaseEdit): boolean {
  return metaFields.some((field) => edit[field] !== undefined);
}

/**
 * Returns the metadata record after an edit (account-api.md, endpoint 12). The fields of the edit
 * replace the earlier values; all other fields stay. An empty title in the edit does not replace
 * the earlier title. Without any title, the title is "". The record is marked as edited.
 */
export function mergeMetadata(earlier: Metadata | null, edit: ReleaseEdit): Metadata {
  const fields = Object.fromEntries(
    metaFields.flatMap((field) => {
      const value = edit[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
  return { ...earlier, ...fields, title: edit.title || earlier?.title || '', manual: true };
}
