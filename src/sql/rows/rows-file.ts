import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DatabaseCopyWatch } from '../../core/backups/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { lineOf, type PortableRow, type RowColumn, rowOf } from './portable-row.ts';
import type { RowSource, SourceTable } from './row-ports.ts';
import { rowTables } from './row-tables.ts';

/** Version of the file format. docs/backup-format.md describes the format. */
const formatVersion = 1;
/**
 * `PIECE` is the maximum number of characters that are written or read at once. `ROWS_AT_ONCE` is
 * the maximum number of rows per batch.
 */
const PIECE = 256 * 1024;
const ROWS_AT_ONCE = 1_000;

interface TableHead {
  readonly table: string;
  readonly last_id: number;
  /** The type of the values in each column, by the name of the column. */
  readonly columns: Readonly<Record<string, RowColumn['type']>>;
}

/**
 * Writes all rows of a source to a new file. When the promise resolves, the contents of the file
 * are durable, but its directory entry is not yet durable. When the signal is aborted, throws the
 * signal's reason.
 */
export async function writeRows(
  file: string,
  source: RowSource,
  { signal, onRows }: DatabaseCopyWatch,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600); // the file contains password hashes
  let piece = '';
  let done = 0;
  const write = async (line: string) => {
    piece += `${line}\n`;
    if (piece.length < PIECE) return;
    const full = piece;
    piece = '';
    await handle.appendFile(full);
  };
  try {
    const { version, total } = source;
    await write(JSON.stringify({ catalog_rows: formatVersion, schema: version, rows: total }));
    for await (const { table, columns, lastId, rows } of source.tables()) {
      const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
      await write(JSON.stringify({ table: table.name, last_id: lastId, columns: types }));
      for await (const batch of rows) {
        signal.throwIfAborted();
        for (const row of batch) await write(lineOf(row));
        done += batch.length;
        onRows?.(done, total, table.name);
      }
    }
    await write(JSON.stringify({ end: true }));
    await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads the rows of a file that `writeRows` wrote. The tables must be read in order. Throws
 * refused() if the file has another format or version. Reading the rows throws refused() if the
 * file is incomplete. The messages call the file `name`.
 */
export async function readRows(file: string, name: string): Promise<RowSource> {
  const lines = linesOf(file);
  const head = objectOf((await lines.next()).value);
  const { catalog_rows: format, schema, rows } = head ?? {};
  if (format !== formatVersion || !Number.isSafeInteger(schema)) {
    await lines.return(undefined);
    throw refused(`${name} was written by another version: use a newer catalog`);
  }
  const reading = new RowsReader(lines, name);
  return { version: Number(schema), total: Number(rows), tables: () => reading.tables() };
}

class RowsReader {
  readonly #lines: AsyncGenerator<string, undefined>;
  readonly #name: string;
  #next: TableHead | null = null;

  constructor(lines: AsyncGenerator<string, undefined>, name: string) {
    this.#lines = lines;
    this.#name = name;
  }

  async *tables(): AsyncGenerator<SourceTable> {
    try {
      await this.#readHead((await this.#lines.next()).value);
      for (let head = this.#next; head !== null; head = this.#next) {
        const { table: of, last_id: lastId } = head;
        const table = rowTables.find((each) => each.name === of);
        if (table === undefined || !Number.isSafeInteger(lastId)) throw this.#changed();
        const columns = Object.entries(head.columns).map(([name, type]) => ({ name, type }));
        yield { table, columns, lastId, rows: this.#rows(columns, head) };
        if (this.#next === head) throw new Error(`the rows of ${of} were not read`);
      }
    } finally {
      await this.#lines.return(undefined);
    }
  }

  async *#rows(columns: readonly RowColumn[], head: TableHead): AsyncGenerator<PortableRow[]> {
    let rows: PortableRow[] = [];
    let length = 0;
    while (this.#next === head) {
      const { value: line } = await this.#lines.next();
      if (line?.startsWith('[')) {
        const row = rowOf(line, columns);
        if (row === null) throw this.#changed();
        rows.push(row);
        length += line.length;
      } else {
        await this.#readHead(line);
      }
      if (rows.length < ROWS_AT_ONCE && length < PIECE && this.#next === head) continue;
      if (rows.length > 0) yield rows;
      rows = [];
      length = 0;
    }
  }

  /** Parses the line that begins the next table. At the end of the file, sets `#next` to null. */
  async #readHead(line: string | undefined): Promise<void> {
    const head = objectOf(line);
    if (head?.end === true) {
      this.#next = null;
      return;
    }
    if (typeof head?.table !== 'string' || typeof head.columns !== 'object') throw this.#changed();
    this.#next = head as unknown as TableHead;
  }

  #changed() {
    return refused(`${this.#name} is truncated or was changed since it was written`);
  }
}

/**
 * Yields the lines of a file, whatever their length. Only line feeds end a line, because texts may
 * contain other line separators, such as U+2028.
 */
async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let begun = '';
  for await (const piece of createReadStream(file, { highWaterMark: PIECE })) {
    const lines = (begun + decoder.decode(piece, { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}

function objectOf(line: string | undefined): Record<string, unknown> | null {
  if (line === undefined || !line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
