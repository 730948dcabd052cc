import { backupParts } from '../../core/backups/backup-parts.ts';
import type { CopiedFile } from '../../core/backups/copies/ports.ts';
import type { PortableRow, PortableValue, RowColumn } from './portable-row.ts';
import type { RowSource, SourceTable, TableReader } from './row-ports.ts';
import { type RowTable, rowTables, uploads } from './row-tables.ts';

const ROWS_AT_ONCE = 1_000;

/** Tables in which a restore keeps the rows of files that the backup does not contain. */
const kept: readonly string[] = ['stored_object', 'orphan_object'];

type NamedValues = Readonly<Record<string, PortableValue>>;

/** The database that is copied, and how its files are copied. */
interface ObjectsOptions {
  readonly areObjects: boolean;
  /** True if the rows of objects that do not belong to `files` are copied too. */
  readonly keepsObjects: boolean;
  readonly reader: TableReader;
  readonly version: number;
}

/**
 * Returns the rows that describe files copied to an object store. Each part of a backup gets an
 * area, even if the part has no files. If the files were copied to folders, returns no such rows.
 * Also includes the tables of uploads, without rows, to copy the last ids of these tables.
 */
export async function objectsOf(
  files: readonly CopiedFile[],
  { areObjects, keepsObjects, reader, version }: ObjectsOptions,
): Promise<RowSource> {
  const areas = areObjects ? backupParts : [];
  const contents: Record<string, readonly NamedValues[]> = {
    object_area: areas.map((area) => ({ area, revision: 1 })),
    stored_object: files.flatMap(({ part, name, key, size, mtimeNs, sha256 }) =>
      key === null ? [] : [{ area: part, name, key, size, mtime_ns: toPortable(mtimeNs), sha256 }],
    ),
  };
  const copied = new Set(files.map(({ part, name }) => `${part}/${name}`));
  const tables: SourceTable[] = [];
  for (const table of rowTables) {
    const rows = contents[table.name];
    const isKept = areObjects && keepsObjects && kept.includes(table.name);
    if (rows === undefined && !isKept && !uploads.includes(table)) continue;
    const columns = await reader.columns(table);
    const lastId = await reader.lastId(table);
    const own = inBatches(rows ?? [], columns);
    const all = isKept ? inOrder(own, others({ table, columns, reader }, copied)) : own;
    tables.push({ table, columns, lastId, rows: all });
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

/** Yields the rows of a table, except those of copied files. */
async function* others(
  {
    table,
    columns,
    reader,
  }: { table: RowTable; columns: readonly RowColumn[]; reader: TableReader },
  copied: ReadonlySet<string>,
): AsyncGenerator<readonly PortableRow[]> {
  const [area, name] = ['area', 'name'].map((column) =>
    columns.findIndex((it) => it.name === column),
  );
  for await (const batch of reader.rows(table, columns)) {
    yield batch.filter((row) => !copied.has(`${row[area ?? 0]}/${row[name ?? 0]}`));
  }
}

async function* inOrder<T>(...sources: AsyncIterable<T>[]): AsyncGenerator<T> {
  for (const source of sources) yield* source;
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
