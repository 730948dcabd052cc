import type { CopyProgress, CopyWatch } from '../../core/backups/copies/copy-report.ts';
import { refused } from '../../core/shared/errors.ts';
import { type PortableRow, type RowColumn, RowSum } from './portable-row.ts';
import type { RowSource, RowTarget, TableReader } from './row-ports.ts';
import type { RowTable } from './row-tables.ts';

const ROWS_AT_ONCE = 5_000;
/**
 * Maximum length of the texts in a batch, in characters. A batch is written once it reaches this
 * length or `ROWS_AT_ONCE`.
 */
const TEXT_AT_ONCE = 4 * 1024 * 1024;

/** A copied table with a digest of its rows. */
interface CopiedTable {
  readonly table: RowTable;
  readonly columns: readonly RowColumn[];
  readonly sum: RowSum;
}

/**
 * Copies all rows of a source to a target, and reads the copied rows back to compare them. Returns
 * the number of rows. Throws refused() if the rows in the target differ from the source. When the
 * signal is aborted, throws the signal's reason.
 */
export async function copyRows(
  source: RowSource,
  target: RowTarget,
  watch: CopyWatch,
): Promise<number> {
  const read: CopiedTable[] = [];
  const lastIds = new Map<RowTable, number>();
  let done = 0;
  const reportProgress = (step: CopyProgress['step'], { name }: { name: string }) =>
    watch.onProgress({ step, done, total: Math.max(done, source.total), name });
  for await (const { table, columns, lastId, rows } of source.tables()) {
    const sum = new RowSum();
    checkColumns(columns, await target.reader.columns(table), table);
    lastIds.set(table, lastId);
    for await (const batch of prefetch(inBatches(rows))) {
      watch.signal.throwIfAborted();
      reportProgress('copying', table);
      for (const row of batch) sum.add(row);
      await target.add(table, columns, batch);
      done += batch.length;
    }
    read.push({ table, columns, sum });
  }
  const rows = done;
  await target.finish(lastIds, (done, total) => {
    watch.signal.throwIfAborted();
    watch.onProgress({ step: 'indexing', done, total, name: '' });
  });
  done = 0;
  for (const each of read) {
    await compare(each, target.reader, (batch) => {
      watch.signal.throwIfAborted();
      done += batch;
      reportProgress('comparing', each.table);
    });
  }
  return rows;
}

async function compare(
  { table, columns, sum }: CopiedTable,
  reader: TableReader,
  onBatch: (rows: number) => void,
): Promise<void> {
  const there = new RowSum();
  for await (const batch of prefetch(reader.rows(table, columns))) {
    for (const row of batch) there.add(row);
    onBatch(batch.length);
  }
  if (there.equals(sum)) return;
  throw refused(
    `the copy of the table ${table.name} differs from what was read (${there.count} rows copied, ${sum.count} rows read): the copy was discarded`,
  );
}

function checkColumns(
  here: readonly RowColumn[],
  there: readonly RowColumn[],
  { name }: RowTable,
): void {
  const namesOf = (columns: readonly RowColumn[]) => columns.map((column) => column.name).join();
  if (namesOf(here) === namesOf(there)) return;
  throw new Error(`the columns of ${name} differ: ${namesOf(here)} and ${namesOf(there)}`);
}

/** Combines small batches into larger ones. */
async function* inBatches(
  batches: AsyncIterable<readonly PortableRow[]>,
): AsyncGenerator<PortableRow[]> {
  let rows: PortableRow[] = [];
  let length = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row);
      for (const value of row) if (typeof value === 'string') length += value.length;
    }
    if (rows.length < ROWS_AT_ONCE && length < TEXT_AT_ONCE) continue;
    yield rows;
    rows = [];
    length = 0;
  }
  if (rows.length > 0) yield rows;
}

/**
 * Yields the items, and already fetches the next item while the caller processes the current one.
 */
async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      next.catch(() => undefined); // thrown when `next` is awaited
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}
