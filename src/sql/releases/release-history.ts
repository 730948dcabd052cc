import { type RawBuilder, sql } from 'kysely';
import type { EditedField, SourceRow } from '../../core/releases/release.ts';
import { isOwnField, type OwnTexts, ownFields } from '../../core/shared/release-fields.ts';
import type { Database } from '../engine/engine.ts';
import type { ImportedFacts } from '../imports/imported-facts.ts';

type StoredSourceRow = Omit<SourceRow, 'shown' | 'gone'> & { shown: 0 | 1; gone: 0 | 1 };
type StoredEdit = Omit<EditedField, 'imported'>;

/**
 * Returns JSON for `toSourceRows`: the data that each source states about `release`. The rows are
 * sorted by source id.
 */
export function sourceRowsOf({ dialect }: Database): RawBuilder<string> {
  const flag = (column: string) => sql`CASE WHEN ${sql.ref(`said.${column}`)} THEN 1 ELSE 0 END`;
  const row = dialect.jsonObject({
    id: sql.ref('source.id'),
    source: sql`CASE WHEN source.name <> '' THEN source.name ELSE source.header_name END`,
    ...Object.fromEntries(ownFields.map((field) => [field, sql.ref(`said.${field}`)])),
    shown: flag('is_shown'),
    gone: flag('gone'),
  });
  return sql`(SELECT ${dialect.jsonArray(row, sql.ref('source.id'))}
    FROM source_row AS said JOIN source ON source.id = said.source_id
    WHERE said.release_id = release.id)`;
}

export function toSourceRows(json: string): SourceRow[] {
  const rows: StoredSourceRow[] = JSON.parse(json);
  return rows.map((row) => ({ ...row, shown: row.shown === 1, gone: row.gone === 1 }));
}

/** Returns JSON for `toEdits`: the edits of `release`, sorted by field name. */
export function editsOf({ dialect }: Database): RawBuilder<string> {
  const edit = dialect.jsonObject({
    field: sql.ref('edit.field'),
    editedAt: sql.ref('edit.edited_at'),
  });
  return sql`(SELECT ${dialect.jsonArray(edit, sql.ref('edit.field'))}
    FROM release_edit AS edit WHERE edit.release_id = release.id)`;
}

export function toEdits(
  json: string,
  sources: readonly SourceRow[],
  facts: ImportedFacts,
): EditedField[] {
  const edits: StoredEdit[] = JSON.parse(json);
  const shown = sources.find((row) => row.shown) ?? null;
  return edits.map((edit) => ({ ...edit, imported: importedValue(edit.field, shown, facts) }));
}

/**
 * Returns the value that a field would have without its edit. An own field has the value from the
 * source that is shown for the release. If that source states no serial, a metadata file may
 * provide the serial. All other fields come from metadata files. Returns null if no import provides
 * a value.
 */
export function importedValue(
  field: EditedField['field'],
  shown: OwnTexts | null,
  facts: ImportedFacts,
): string | null {
  if (field === 'serial') return shown?.serial || facts.serial || (shown?.serial ?? null);
  if (isOwnField(field)) return shown?.[field] ?? null;
  if (field === 'title' || field === 'synopsis') return null;
  return facts[field];
}
