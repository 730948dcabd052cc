import { getSystemErrorMap } from 'node:util';
import { refused } from '../core/shared/errors.ts';
import { printable } from '../core/shared/text.ts';

/** Maximum size of log text that waits for a stalled reader; further lines are dropped. */
const mostWaiting = 1_048_576;

/** Error codes for a reader that went away, from a pipe and a socket. */
const goneCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET'];

let isRead = true;
let failure: NodeJS.ErrnoException | null = null;
let isFailureTold = false;
let written: Promise<void> = Promise.resolve();

/**
 * Makes the process survive output that cannot be written, such as to a closed pipe, a full disk or
 * a closed terminal. The output is lost. Without these listeners Node would end the process.
 */
export function surviveLostOutput(): void {
  process.stdout.on('error', noteFailure);
  process.stderr.on('error', () => undefined);
}

/**
 * Prints lines to standard output. Names in them, which others chose, cannot control the terminal.
 */
export function print(...lines: readonly string[]): void {
  writeOut(`${lines.map(printable).join('\n')}\n`);
}

/** Prints the fields of a line to standard output, separated by tabs. */
export function printRow(...fields: readonly string[]): void {
  writeOut(`${fields.map(printable).join('\t')}\n`);
}

/**
 * Prints JSON to standard output. Characters that could control a terminal are escaped, which
 * changes no value.
 */
export function printJson(value: unknown): void {
  writeOut(`${harmless(JSON.stringify(value, null, 2))}\n`);
}

/**
 * Prints a JSON array of any length to standard output. Each item is a line, written before the
 * next is requested.
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

/** Prints lines to standard error, like `print`. */
export function printError(...lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}

/**
 * Size up to which a system writes to a pipe atomically, so that lines of several processes do not
 * mix (POSIX, PIPE_BUF).
 */
const wholeBytes = 4_096;

let logLines = '';
let isLogShared = false;

/**
 * Declares that other processes write to the same log. Lines then go out in pieces that cannot mix
 * with theirs.
 */
export function shareLog(): void {
  isLogShared = true;
}

/**
 * Adds a line to the log. It is written with the other lines of this turn of the event loop, so
 * only a kill loses it. Never waits for the log's reader: if it stalls, further lines are lost.
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

/** Joins as many lines as fit into each piece; a longer line is a piece by itself. */
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

/** Whether everything printed until now has been written and the reader is still there. */
export async function isAllRead(): Promise<boolean> {
  await written;
  return isRead && failure === null;
}

/**
 * Waits until everything printed has been written. Throws a one-line error, once, if standard
 * output could not be written. It is not a failure if the reader went away: it wanted no more.
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
