import { type SqlBool, sql } from 'kysely';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import type { Database } from '../engine/engine.ts';

/**
 * Returns the recorded SHA-256 of each of these files of an area, by name. Files that have changed
 * since they were stored are absent.
 */
export async function findChecksums(
  db: Database,
  area: string,
  files: readonly StoredFile[],
): Promise<ReadonlyMap<string, string>> {
  const names = db.dialect.list(files.map(({ name }) => name));
  const rows = await db
    .selectFrom('stored_file')
    .select(['name', 'size', 'mtime_ns', 'sha256'])
    .where('area', '=', area)
    .where(sql<SqlBool>`name IN ${names}`)
    .execute();
  const byName = new Map(rows.map((row) => [row.name, row]));
  const found = new Map<string, string>();
  for (const { name, size, mtimeNs } of files) {
    const row = byName.get(name);
    if (row?.size === size && BigInt(row.mtime_ns) === mtimeNs) found.set(name, row.sha256);
  }
  return found;
}
