import { getSystemErrorMap } from 'node:util';
import { refused } from '../core/shared/errors.ts';
import { printable } from '../core/shared/text.ts';

/** Lines of the log that wait for a reader who reads nothing; what comes beyond is lost. */
const mostWaiting = 1_048_576;

/** How a reader who went away is told: of a pipe, of a socket. */
const goneCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET'];

let isRead = true;
let failure: NodeJS.ErrnoException | null = null;
let isFailureTold = false;
let written: Promise<void> = Promise.resolve();

/**
 * From here on output that cannot be written (a closed pipe, a full disk, a terminal that is gone) is lost, and nothing
 * else: without these listeners Node ends the process.
 */
export function surviveLostOutput(): void {
  process.stdout.on('error', noteFailure);
  process.stderr.on('error', () => undefined);
}

/** Lines for standard output; names in them, which others chose, cannot control a terminal. */
export function print(...lines: readonly string[]): void {
  writeOut(`${lines.map(printable).join('\n')}\n`);
}

/** The fields of a line for standard output, separated by tabs. */
export function printRow(...fields: readonly string[]): void {
  writeOut(`${fields.map(printable).join('\t')}\n`);
}

/** JSON for standard output. What could control a terminal is escaped, which changes no value. */
export function printJson(value: unknown): void {
  writeOut(`${harmless(JSON.stringify(value, null, 2))}\n`);
}

/** A JSON array for standard output, however long: each item in a line, written before the next is asked for. */
export async function printJsonItems(items: AsyncIterable<unknown>): Promise<void> {
  let before = '[\n';
  for await (const item of items) {
    writeOut(`${before}${harmless(JSON.stringify(item))}`);
    before = ',\n';
    if (!(await isAllRead())) return;
  }
  writeOut(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Lines for standard error, as `print`. */
export function printError(...lines: readonly string[]): void {
  process.stderr.write(`${lines.map(printable).join('\n')}\n`);
}

/** What a system writes to a pipe at once or not at all: lines of several processes are not mixed (POSIX, PIPE_BUF). */
const wholeBytes = 4_096;

let logLines = '';
let isLogShared = false;

/** Other processes write to the same log: lines go out in pieces that cannot be mixed with theirs. */
export function shareLog(): void {
  isLogShared = true;
}

/**
 * A line of the log, written with others of this turn of the event loop; only a kill loses them. Nobody waits for who reads
 * the log: what a reader who stopped would have got is lost.
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

/** Of lines as many as fit into a piece; a longer line is one by itself. */
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

/** Whether everything printed until now is written and its reader still there. */
export async function isAllRead(): Promise<boolean> {
  await written;
  return isRead && failure === null;
}

/**
 * Waits until everything printed is written. Throws one line, once, when standard output could not be written; that its
 * reader went away is no failure: it wanted no more.
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
