import { getSystemErrorMap } from 'node:util';
import { refused } from '../../core/shared/errors.ts';
import { printable } from '../../core/shared/text.ts';

/**
 * Maximum size, in characters, of log text that waits because the log's reader has stalled. Further
 * lines are dropped.
 */
const maxBufferedLength = 1_048_576;

/** Error codes of a write to a pipe or socket whose reader has closed its end. */
const closedPipeCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET'];

let hasReader = true;
let failure: NodeJS.ErrnoException | null = null;
let isFailureReported = false;
let lastWrite: Promise<void> = Promise.resolve();

/**
 * Keeps the process running when its output cannot be written, such as to a closed pipe, a full
 * disk or a closed terminal. The output is lost. Without listeners for the error, Node would end
 * the process.
 */
export function handleOutputErrors(): void {
  process.stdout.on('error', recordFailure);
  process.stderr.on('error', () => undefined);
}

/**
 * Prints lines to standard output. Replaces control characters (see `printable`), because file
 * names and other texts from users may contain control characters.
 */
export function print(...lines: readonly string[]): void {
  writeOut(`${lines.map(printable).join('\n')}\n`);
}

/** Prints the fields of a line to standard output, separated by tabs. */
export function printRow(...fields: readonly string[]): void {
  writeOut(`${fields.map(printable).join('\t')}\n`);
}

/**
 * Prints JSON to standard output. Escapes characters that could control a terminal. The escapes do
 * not change the values of the JSON.
 */
export function printJson(value: unknown): void {
  writeOut(`${escapeUnsafe(JSON.stringify(value, null, 2))}\n`);
}

/**
 * Prints a JSON array of any length to standard output, one item per line. Each item is written
 * before the next item is requested.
 */
export async function printJsonItems(items: AsyncIterable<unknown>): Promise<void> {
  let before = '[\n';
  for await (const item of items) {
    writeOut(`${before}${escapeUnsafe(JSON.stringify(item))}`);
    before = ',\n';
    if (!(await isOutputOpen())) return;
  }
  writeOut(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Prints lines to standard error. Replaces control characters, as `print` does. */
export function printError(...lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}

/**
 * Maximum size, in bytes, of an atomic write to a pipe (POSIX, PIPE_BUF). If no write is larger,
 * the lines of several processes do not mix.
 */
const atomicWriteBytes = 4_096;

let logLines = '';
let isLogShared = false;

/**
 * Makes this process write its log in pieces of at most `atomicWriteBytes` bytes. Must be called if
 * other processes write to the same log, so that the lines of the processes do not mix.
 */
export function shareLog(): void {
  isLogShared = true;
}

/**
 * Adds a line to the log. The lines of one turn of the event loop are written together, at the
 * latest at exit. Lines are lost if the process is killed before that, or if too much text waits
 * because the log's reader has stalled.
 */
export function printLog(line: string): void {
  if (process.stderr.writableLength + logLines.length >= maxBufferedLength) return;
  if (logLines === '') setImmediate(writeLog);
  logLines += line;
}

process.on('exit', writeLog);

function writeLog(): void {
  if (logLines === '') return;
  const lines = logLines;
  logLines = '';
  if (!isLogShared) process.stderr.write(lines);
  else for (const piece of splitForAtomicWrites(lines)) process.stderr.write(piece);
}

/**
 * Divides lines into pieces of at most `atomicWriteBytes` bytes. A longer line gets its own piece.
 */
function splitForAtomicWrites(lines: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of lines.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > atomicWriteBytes) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  return [...pieces, piece];
}

/**
 * Waits until everything printed so far was written. Returns true if no write failed and the reader
 * still exists.
 */
export async function isOutputOpen(): Promise<boolean> {
  await lastWrite;
  return hasReader && failure === null;
}

/**
 * Waits until everything printed so far was written. Throws a one-line error if standard output
 * could not be written, but only on the first call after the failure. A pipe that the reader has
 * closed is not an error.
 */
export async function flushOutput(): Promise<void> {
  await lastWrite;
  if (failure === null || isFailureReported) return;
  isFailureReported = true;
  const reason = getSystemErrorMap().get(failure.errno ?? 0)?.[1] ?? failure.message;
  throw refused(`standard output cannot be written: ${reason}`, failure);
}

function writeOut(text: string): void {
  if (!hasReader) return;
  lastWrite = new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      if (error) recordFailure(error);
      resolve();
    });
  });
}

function recordFailure(error: NodeJS.ErrnoException): void {
  if (closedPipeCodes.includes(error.code)) hasReader = false;
  else failure ??= error;
}

function escapeUnsafe(json: string): string {
  return json.replace(/[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
