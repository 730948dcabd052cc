import type { CopiedFile } from '../../core/backups/copies/ports.ts';
import { backupParts } from '../../core/backups/manifest.ts';
import type { PortableRow, PortableValue, RowColumn } from './portable-row.ts';
import type { RowSource, SourceTable, TableReader } from './row-ports.ts';
import { rowTables, uploads } from './row-tables.ts';

const ROWS_AT_ONCE = 1_000;

type NamedValues = Readonly<Record<string, PortableValue>>;

/**
 * Returns the rows that describe files copied to an object store. Each part of a backup gets an
 * area, even if the part has no files. If the files were copied to folders, returns no such rows.
 * Also includes the tables of uploads, without rows, to copy the last ids of these tables.
 */
export async function objectsOf(
  files: readonly CopiedFile[],
  { areObjects, reader, version }: { areObjects: boolean; reader: TableReader; version: number },
): Promise<RowSource> {
  const areas = areObjects ? backupParts : [];
  const contents: Record<string, readonly NamedValues[]> = {
    object_area: areas.map((area) => ({ area, revision: 1 })),
    stored_object: files.flatMap(({ part, name, key, size, mtimeNs, sha256 }) =>
      key === null ? [] : [{ area: part, name, key, size, mtime_ns: toPortable(mtimeNs), sha256 }],
    ),
  };
  const tables: SourceTable[] = [];
  for (const table of rowTables) {
    const rows = contents[table.name];
    if (rows === undefined && !uploads.includes(table)) continue;
    const columns = await reader.columns(table);
    const lastId = await reader.lastId(table);
    tables.push({ table, columns, lastId, rows: inBatches(rows ?? [], columns) });
  }
  const total = Object.values(contents).flat().length;
  return {
    version,
    total,
    async *tables() {
      yield* tables;
    },
  };
}

/**
 * Returns a source whose files have the modification times of their copies. All other rows and
 * values are those of `source`.
 */
export function withTimes(source: RowSource, files: readonly CopiedFile[]): RowSource {
  const copied = new Map(files.map((file) => [`${file.part}/${file.name}`, file]));
  return {
    ...source,
    async *tables() {
      for await (const each of source.tables()) {
        yield each.table.name === 'stored_file'
          ? { ...each, rows: withCopiedTimes(each, copied) }
          : each;
      }
    },
  };
}

async function* withCopiedTimes(
  { columns, rows }: SourceTable,
  copied: ReadonlyMap<string, CopiedFile>,
): AsyncGenerator<readonly PortableRow[]> {
  const place = (column: string) => columns.findIndex(({ name }) => name === column);
  const [area, name, time, sum] = ['area', 'name', 'mtime_ns', 'sha256'].map(place);
  for await (const batch of rows) {
    yield batch.map((row) => {
      const file = copied.get(`${row[area ?? 0]}/${row[name ?? 0]}`);
      if (file === undefined || file.sha256 !== row[sum ?? 0]) return row;
      return row.with(time ?? 0, toPortable(file.mtimeNs));
    });
  }
}

function toPortable(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Yields the rows in batches of limited size. A batch is created only when it is requested. */
async function* inBatches(
  rows: readonly NamedValues[],
  columns: readonly RowColumn[],
): AsyncGenerator<readonly PortableRow[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const batch = rows.slice(start, start + ROWS_AT_ONCE);
    yield batch.map((row) => columns.map(({ name }) => row[name] ?? null));
  }
}
