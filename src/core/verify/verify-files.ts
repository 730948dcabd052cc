import { mapAhead } from '../shared/concurrency/map-ahead.ts';
import { pause } from '../shared/concurrency/pause.ts';
import type { Throttle } from '../shared/concurrency/throttle.ts';
import type { FileArea, StoredFile } from '../shared/files/file-area.ts';
import { LostFile } from '../shared/files/lost-file.ts';
import { isSystemError, systemReason } from '../shared/system-reason.ts';
import { hasChanged } from './file-stat.ts';
import { FileSums } from './file-sums.ts';
import type { FilePart, StoredRecord, VerifyRecords } from './ports.ts';
import type { Finding, VerifyOptions } from './verification.ts';
import type { VerifyRun } from './verify-run.ts';

const rowsAtOnce = 500;
/**
 * Number of times that a comparison is repeated if the file is new or being replaced. The record of
 * a new file is written a moment after the file.
 */
const tries = 10;
const againMs = 50;
const freshMs = 5_000;
/**
 * Maximum time in milliseconds by which a new file's time is ahead of this machine's clock: another
 * machine stored the file, or replaced one with a later time (`publisher.ts`).
 */
const maxAheadMs = 60_000;
/**
 * A position after every name. It marks a finished part: the files without a record were listed
 * too.
 */
const end = '\u{10ffff}';

interface Parts {
  readonly part: FilePart;
  readonly area: FileArea;
  readonly records: VerifyRecords;
  /** The maximum number of files that are read at the same time. */
  readonly parallel: number;
  readonly throttle: Throttle | null;
  readonly options: VerifyOptions;
}

/** The files that are being read, or were read before the position reached them. */
interface Reading {
  readonly run: VerifyRun;
  readonly sums: FileSums;
  /** The number of bytes read of each file, by name. */
  readonly bytesOf: Map<string, number>;
}

/**
 * Compares the files of a part with their records, ordered by name. Then lists the files without a
 * record.
 */
export async function verifyFiles(run: VerifyRun, parts: Parts): Promise<void> {
  const { part, records, parallel } = parts;
  const reading: Reading = { run, sums: new FileSums(parallel), bytesOf: new Map() };
  for (;;) {
    if (run.position.after === end) return;
    const rows = await records.recorded(part, run.position.after, rowsAtOnce);
    // Look up and open one more file than are read at the same time, so that it can be read at
    // once.
    const compared = mapAhead(parallel + 1, rows, (row) => compareFile(row.name, reading, parts));
    for await (const [row, finding] of compared) {
      if (finding !== null) run.addFinding(finding);
      reading.bytesOf.delete(row.name);
      await run.advance(row.name, row.size);
    }
    if (rows.length < rowsAtOnce) break;
  }
  await findExtra(run, parts);
}

/**
 * Compares a file with its record. Returns null when they match, or when the file no longer has a
 * record.
 */
async function compareFile(name: string, reading: Reading, parts: Parts): Promise<Finding | null> {
  const { part, area, records, options } = parts;
  for (let left = tries; ; left--) {
    const row = await records.recordOf(part, name);
    if (row === null) return null;
    const file = await area.find(name);
    const wrong = await findDifference(row, file, reading, parts);
    if (wrong === null) return null;
    const now = await records.recordOf(part, name);
    // The file may change at any time. Until its new record is written, the file is missing or
    // newer than its record. In these cases, compare again.
    const isReplaced = hasChanged(await area.find(name), file);
    const isUnderWay = isReplaced || (file === null ? left === tries : isNewer(file, row));
    const isOver = now !== null && now.mtimeNs === row.mtimeNs && !isUnderWay;
    if (left === 0 || isOver) return { part, path: pathOf(part, name), ...wrong };
    await pause(againMs, options.signal);
  }
}

function isNewer(file: StoredFile, row: StoredRecord): boolean {
  return file.mtimeNs > row.mtimeNs && isFresh(file);
}

/**
 * Returns true if a file may be new. This is false for times far in the future, so that many
 * manually added files with such times do not delay the verification.
 */
function isFresh({ mtimeNs }: StoredFile): boolean {
  const age = Date.now() - Number(mtimeNs / 1_000_000n);
  return age < freshMs && age > -maxAheadMs;
}

async function findDifference(
  row: StoredRecord,
  file: StoredFile | null,
  reading: Reading,
  parts: Parts,
): Promise<Pick<Finding, 'kind' | 'reason'> | null> {
  if (file === null) return { kind: 'missing', reason: 'it was stored and is not there' };
  if (file.size !== row.size) {
    return { kind: 'changed', reason: `it has ${file.size} bytes, ${row.size} were stored` };
  }
  try {
    if ((await sumOf(row.name, reading, parts)) === row.sha256) return null;
  } catch (error) {
    if (error instanceof LostFile) return { kind: 'missing', reason: error.message };
    if (!isSystemError(error)) throw error;
    return { kind: 'unreadable', reason: systemReason(error) };
  }
  const isSameTime = file.mtimeNs === row.mtimeNs;
  const how = isSameTime
    ? 'at the same time: a disk changed them'
    : 'and its time: it was replaced';
  return { kind: 'changed', reason: `its bytes are not those that were stored ${how}` };
}

/** Returns the SHA-256 of a file's content; null if there is no such file. */
async function sumOf(name: string, reading: Reading, parts: Parts): Promise<string | null> {
  const { run, sums, bytesOf } = reading;
  const { part, area, throttle, options } = parts;
  const { signal } = options;
  const file = await area.open(name);
  if (file === null) return null;
  let bytes = 0;
  const onBytes = (more: number) => {
    signal.throwIfAborted();
    bytes += more;
    bytesOf.set(name, bytes);
    run.reportProgress(pathOf(part, name), sum(bytesOf.values()));
    return throttle?.consume(more, signal);
  };
  try {
    return await sums.sumOf(file, onBytes, signal);
  } finally {
    await file.close();
  }
}

/**
 * Finds the files without a record. Reports them only after all were found, because a verification
 * interrupted before that finds all of them again.
 */
async function findExtra(run: VerifyRun, parts: Parts): Promise<void> {
  const { part, area, options } = parts;
  const extra: string[] = [];
  for await (const name of area.names()) {
    options.signal.throwIfAborted();
    if (await hasNoRecord(name, parts)) extra.push(pathOf(part, name));
  }
  const reason = 'nothing is recorded of it: it was laid there by hand';
  for (const path of extra) run.addFinding({ part, kind: 'extra', path, reason });
  await run.moveTo(end);
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/**
 * Returns true if a file has no record, even after the time in which a new file gets its record.
 */
async function hasNoRecord(name: string, { part, area, records, options }: Parts) {
  for (let left = tries; ; left--) {
    if ((await records.recordOf(part, name)) !== null) return false;
    const file = await area.find(name);
    if (file === null || (await records.recordOf(part, name)) !== null) return false;
    if (left === 0 || !isFresh(file)) return true;
    await pause(againMs, options.signal);
  }
}

const folders: Readonly<Record<FilePart, string>> = {
  covers: 'covers',
  games: 'store/games',
  videos: 'store/videos',
};

const pathOf = (part: FilePart, name: string) => `${folders[part]}/${name}`;
