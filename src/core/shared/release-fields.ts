import type { TextLimit } from './text-limits.ts';

/**
 * The texts of a release that are stored in the release itself, each with the value that represents
 * a missing text. DAT files supply these texts, and users can edit them.
 */
export const emptyTexts = { name: '', region: '', serial: '', description: '' };
export type OwnField = keyof typeof emptyTexts;
export type OwnTexts = Readonly<typeof emptyTexts>;
export const ownFields = Object.keys(emptyTexts).filter(isOwnField);

/**
 * The texts of `emptyTexts` that lists of releases include. The other texts of `emptyTexts` are
 * details.
 */
const listedFields = ['name', 'region', 'serial'] as const satisfies OwnField[];
type DetailField = Exclude<OwnField, (typeof listedFields)[number]>;
export const detailFields = ownFields.filter(
  (name): name is DetailField => !(listedFields as readonly string[]).includes(name),
);

export function isOwnField(name: string): name is OwnField {
  return Object.hasOwn(emptyTexts, name);
}

/**
 * The texts of a release's metadata record. `isEdited` is true if users can edit the text.
 * `isImported` is true if metadata files supply the text. Metadata files state a date as year,
 * month and day, and every other text under the name listed here.
 */
const metadataFields = [
  { name: 'title', isEdited: true, isImported: false },
  { name: 'release_date', isEdited: true, isImported: true },
  { name: 'developer', isEdited: true, isImported: true },
  { name: 'publisher', isEdited: true, isImported: true },
  { name: 'genre', isEdited: true, isImported: true },
  { name: 'synopsis', isEdited: true, isImported: false },
  { name: 'franchise', isEdited: false, isImported: true },
] as const;
type MetadataField = (typeof metadataFields)[number];
type EditedField = Extract<MetadataField, { isEdited: true }>;
type ImportedField = Extract<MetadataField, { isImported: true }>;

/**
 * The columns of the metadata record that are empty until a value is set: all texts except `title`.
 */
export type MetadataColumn = Exclude<MetadataField['name'], 'title'>;
export const metadataColumns: readonly MetadataColumn[] = metadataFields
  .map(({ name }) => name)
  .filter((name): name is MetadataColumn => name !== 'title');

/** The texts of the metadata record that users can edit. */
export type MetaField = EditedField['name'];
export const metaFields: readonly MetaField[] = metadataFields
  .filter((field): field is EditedField => field.isEdited)
  .map(({ name }) => name);

/** The texts of the metadata record that metadata files supply. */
export type FilledField = ImportedField['name'];
export const filledFields: readonly FilledField[] = metadataFields
  .filter((field): field is ImportedField => field.isImported)
  .map(({ name }) => name);

/**
 * The texts that are copied unchanged from one field of a metadata file: all supplied texts except
 * `release_date`.
 */
export type PlainField = Exclude<FilledField, 'release_date'>;
export const plainFields: readonly PlainField[] = filledFields.filter(
  (name): name is PlainField => name !== 'release_date',
);

/** All texts of a release that users can edit. */
export type EditableField = OwnField | MetaField;
export const editableFields: readonly EditableField[] = [...ownFields, ...metaFields];

const longest = new Map<string, TextLimit>([
  ['name', { characters: 1_000 }],
  ['description', { bytes: 65_536 }],
  ['synopsis', { bytes: 65_536 }],
]);

/**
 * Returns the maximum length of a text field of a release (docs/importing.md). Texts in real
 * catalogues are shorter than this limit.
 */
export function limitOf(field: string): TextLimit {
  return longest.get(field) ?? { bytes: 4_096 };
}

export function isEditableField(name: string): name is EditableField {
  return (editableFields as readonly string[]).includes(name);
}
