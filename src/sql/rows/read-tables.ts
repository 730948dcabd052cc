import type { RowSource, SourceTable, TableReader } from './row-ports.ts';
import type { RowTable } from './row-tables.ts';

/** Returns a source with the rows of these tables, which `reader` reads. */
export async function sourceOf(
  reader: TableReader,
  tables: readonly RowTable[],
  version: number,
): Promise<RowSource> {
  let total = 0;
  for (const table of tables) total += await reader.count(table);
  return { version, total, tables: () => readTables(reader, tables) };
}

async function* readTables(
  reader: TableReader,
  tables: readonly RowTable[],
): AsyncGenerator<SourceTable> {
  for (const table of tables) {
    const columns = await reader.columns(table);
    const lastId = await reader.lastId(table);
    yield { table, columns, lastId, rows: reader.rows(table, columns) };
  }
}

/** Returns a source with the tables of `one`, followed by the tables of `other`. */
export function concatSources(one: RowSource, other: RowSource): RowSource {
  return {
    version: one.version,
    total: one.total + other.total,
    async *tables() {
      yield* one.tables();
      yield* other.tables();
    },
  };
}
