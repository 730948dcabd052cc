import type { TextLimit } from './text-limits.ts';

/**
 * The texts of a release itself, with their values when missing. DAT rows supply them, and editors
 * overwrite them.
 */
export const noTexts = { name: '', region: '', serial: '', description: '' };
export type OwnField = keyof typeof noTexts;
export type OwnTexts = Readonly<typeof noTexts>;
export const ownFields = Object.keys(noTexts).filter(isOwnField);

export function isOwnField(name: string): name is OwnField {
  return Object.hasOwn(noTexts, name);
}

/**
 * The texts of the metadata record: those that an editor merges into it, and those that metadata
 * files supply. Metadata files state a date as year, month and day, and every other field under its
 * own name.
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

/** The columns of the record that are empty until a value is given. */
export type MetadataColumn = Exclude<MetadataField['name'], 'title'>;
export const metadataColumns: readonly MetadataColumn[] = metadataFields
  .map(({ name }) => name)
  .filter((name): name is MetadataColumn => name !== 'title');

/** The fields that an editor merges into the record. */
export type MetaField = EditedField['name'];
export const metaFields: readonly MetaField[] = metadataFields
  .filter((field): field is EditedField => field.isEdited)
  .map(({ name }) => name);

/** The fields that metadata files fill. */
export type FilledField = ImportedField['name'];
export const filledFields: readonly FilledField[] = metadataFields
  .filter((field): field is ImportedField => field.isImported)
  .map(({ name }) => name);

/** The filled fields that take one stated fact unchanged. */
export type PlainField = Exclude<FilledField, 'release_date'>;
export const plainFields: readonly PlainField[] = filledFields.filter(
  (name): name is PlainField => name !== 'release_date',
);

/** The fields that an editor overwrites. */
export type EditableField = OwnField | MetaField;
export const editableFields: readonly EditableField[] = [...ownFields, ...metaFields];

const longest = new Map<string, TextLimit>([
  ['name', { characters: 1_000 }],
  ['description', { bytes: 65_536 }],
  ['synopsis', { bytes: 65_536 }],
]);

/**
 * Returns the maximum length of a text of a release (decisions.md); no real catalogue reaches these
 * limits.
 */
export function limitOf(field: string): TextLimit {
  return longest.get(field) ?? { bytes: 4_096 };
}

export function isEditableField(name: string): name is EditableField {
  return (editableFields as readonly string[]).includes(name);
}
