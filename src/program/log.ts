import { styleText } from 'node:util';
import { type Logger, pino } from 'pino';
import { printable } from '../core/shared/text.ts';

/**
 * Creates the program's log. By default, the log writes to standard error: one line of JSON per
 * event, or a readable line in a terminal. Request headers and bodies are never logged, because
 * they may contain secrets.
 */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const form = process.stderr.isTTY ? readableLine : (line: string) => line;
  const destination = { write: (line: string) => write(form(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** Colours `text`, unless standard error does not support colours or `NO_COLOR` is set. */
const colored = (color: Parameters<typeof styleText>[0], text: string) =>
  styleText(color, text, { stream: process.stderr });

const levels: Readonly<Record<number, string>> = {
  20: colored('dim', 'debug'),
  30: colored('green', 'info '),
  40: colored('yellow', 'warn '),
  50: colored('red', 'error'),
};

function readableLine(line: string): string {
  const { time, level, msg = '', err, reqId, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return colored('dim', printable(`${name}=${text}`));
  });
  const lines = err === undefined ? [] : String(err.stack ?? err.message).split('\n');
  const error = lines.map((text) => `\n${printable(text)}`).join('');
  const what = [printable(msg), ...rest].join(' ');
  return `${colored('dim', time.slice(11, 19))} ${levels[level] ?? level} ${what}${error}\n`;
}
