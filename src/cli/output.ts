import { getSystemErrorMap } from 'node:util';
import { refused } from '../core/shared/errors.ts';
import { printable } from '../core/shared/text.ts';

/**
 * Maximum size, in characters, of log text that waits because the log's reader has stalled. Further
 * lines are dropped.
 */
const mostWaiting = 1_048_576;

/** Error codes of a write after the reader of a pipe or socket has closed it. */
const goneCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET'];

let isRead = true;
let failure: NodeJS.ErrnoException | null = null;
let isFailureTold = false;
let written: Promise<void> = Promise.resolve();

/**
 * Keeps the process running when its output cannot be written, such as to a closed pipe, a full
 * disk or a closed terminal. The output is lost. Without these listeners, Node would end the
 * process.
 */
export function surviveLostOutput(): void {
  process.stdout.on('error', noteFailure);
  process.stderr.on('error', () => undefined);
}

/**
 * Prints lines to standard output. Control characters are made harmless, because file names and
 * other texts from users may contain them.
 */
export function print(...lines: readonly string[]): void {
  writeOut(`${lines.map(printable).join('\n')}\n`);
}

/** Prints the fields of a line to standard output, separated by tabs. */
export function printRow(...fields: readonly string[]): void {
  writeOut(`${fields.map(printable).join('\t')}\n`);
}

/**
 * Prints JSON to standard output. Characters that could control a terminal are escaped, which does
 * not change the JSON's values.
 */
export function printJson(value: unknown): void {
  writeOut(`${harmless(JSON.stringify(value, null, 2))}\n`);
}

/**
 * Prints a JSON array of any length to standard output, one item per line. Each item is written
 * before the next one is requested.
 */
export async function printJsonItems(items: AsyncIterable<unknown>): Promise<void> {
  let before = '[\n';
  for await (const item of items) {
    writeOut(`${before}${harmless(JSON.stringify(item))}`);
    before = ',\n';
    if (!(await isAllRead())) return;
  }
  writeOut(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Prints lines to standard error. Control characters are made harmless, as in `print`. */
export function printError(...lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}

/**
 * Maximum size, in bytes, that a system writes to a pipe atomically (POSIX, PIPE_BUF). Up to this
 * size, the lines of several processes do not mix.
 */
const wholeBytes = 4_096;

let logLines = '';
let isLogShared = false;

/**
 * Call this if other processes write to the same log. Lines are then written in pieces that are
 * small enough not to mix with the lines of those processes.
 */
export function shareLog(): void {
  isLogShared = true;
}

/**
 * Adds a line to the log. All lines of one turn of the event loop are written together, so lines
 * are lost only if the process is killed. If the log's reader stalls, further lines are dropped
 * instead of waiting.
 */
export function printLog(line: string): void {
  if (process.stderr.writableLength + logLines.length >= mostWaiting) return;
  if (logLines === '') setImmediate(writeLog);
  logLines += line;
}

process.on('exit', writeLog);

function writeLog(): void {
  if (logLines === '') return;
  const lines = logLines;
  logLines = '';
  if (!isLogShared) process.stderr.write(lines);
  else for (const piece of wholeLines(lines)) process.stderr.write(piece);
}

/** Divides lines into pieces of at most `wholeBytes` bytes. A longer line gets its own piece. */
function wholeLines(lines: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of lines.split(/(?<=\n)/)) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > wholeBytes) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  return [...pieces, piece];
}

/**
 * Waits for everything printed so far. Returns whether it was written and the reader still exists.
 */
export async function isAllRead(): Promise<boolean> {
  await written;
  return isRead && failure === null;
}

/**
 * Waits until everything printed has been written. Throws a one-line error, once, if standard
 * output could not be written. If only the reader has closed the pipe, nothing is thrown.
 */
export async function allPrinted(): Promise<void> {
  await written;
  if (failure === null || isFailureTold) return;
  isFailureTold = true;
  const reason = getSystemErrorMap().get(failure.errno ?? 0)?.[1] ?? failure.message;
  throw refused(`standard output cannot be written: ${reason}`, failure);
}

function writeOut(text: string): void {
  if (!isRead) return;
  written = new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      if (error) noteFailure(error);
      resolve();
    });
  });
}

function noteFailure(error: NodeJS.ErrnoException): void {
  if (goneCodes.includes(error.code)) isRead = false;
  else failure ??= error;
}

function harmless(json: string): string {
  return json.replace(/[\x7f-\x9f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
