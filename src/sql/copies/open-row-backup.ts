import type { CopyWatch } from '../../core/backups/copies/copy-report.ts';
import { refused } from '../../core/shared/errors.ts';
import { fillDatabase, schemaVersion } from '../engine/open.ts';
import { copyRows } from '../rows/copy-rows.ts';
import { rowTables } from '../rows/row-tables.ts';
import { readRows } from '../rows/rows-file.ts';

/**
 * Creates a new database at `to` from the rows of a backup, which are in the file `rows`. Throws
 * refused() if the rows are incomplete or of a newer version; the message calls the file `name`.
 * When the signal is aborted, throws the signal's reason.
 */
export async function createDatabaseFromRows(
  rows: string,
  to: string,
  { name, ...watch }: CopyWatch & { readonly name: string },
): Promise<void> {
  const source = await readRows(rows, name);
  if (source.version > schemaVersion) {
    throw refused(
      `${name} is of version ${source.version}, this program knows up to version ${schemaVersion}: use a newer catalog`,
    );
  }
  const options = { version: source.version, tables: rowTables };
  await fillDatabase(to, options, (target) => copyRows(source, target, watch));
}
