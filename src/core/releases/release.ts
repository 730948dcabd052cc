import {
  type EditableField,
  editableFields,
  limitOf,
  type MetaField,
  metaFields,
  type OwnTexts,
} from '../shared/release-fields.ts';
import { checkLength } from '../shared/text-limits.ts';

/** A release as it is listed. */
export interface ReleaseItem {
  readonly id: number;
  readonly system: string;
  readonly name: string;
  readonly region: string;
  readonly serial: string;
}

/** One file of a release as the DAT lists it. Missing strings are "", a missing size is 0. */
export interface Rom {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
  readonly serial: string;
}

/** The metadata record; fields without a value are absent. */
export type Metadata = { readonly title: string; readonly manual: boolean } & {
  readonly [field in Exclude<MetaField, 'title'>]?: string;
};

export interface ReleaseDetail extends ReleaseItem, OwnTexts {
  readonly roms: readonly Rom[];
  /** Null when no record exists. */
  readonly meta: Metadata | null;
}

/** One source's data of a release. */
export interface SourceRow extends OwnTexts {
  /** Id of the source. */
  readonly id: number;
  /** The source's name given at the import, else the name that its DAT states. */
  readonly source: string;
  /** Whether the release shows this row, apart from edited fields. */
  readonly shown: boolean;
  /** Whether the newest version of the source no longer lists it. */
  readonly gone: boolean;
}

/** A field that was edited by hand. */
export interface EditedField {
  readonly field: EditableField;
  /** ISO 8601. */
  readonly editedAt: string;
  /** The value without the edit; null when no import has one. */
  readonly imported: string | null;
}

/** An editor's changes: only the fields that are present are changed. */
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
 * Returns the metadata record after an edit (account-api.md, endpoint 12). Fields in the edit
 * replace the earlier ones, and the others stay. The title is the supplied one if non-empty, else
 * the earlier one, else empty. The record is marked as edited.
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
