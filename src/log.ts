import colors from 'picocolors';
import { type Logger, pino } from 'pino';
import { printable } from './core/shared/text.ts';

/**
 * Creates the program's log, on standard error unless `write` sends it elsewhere. It has one JSON
 * line per event, or a readable line in a terminal. Secrets are never passed in: request headers
 * and bodies are not logged.
 */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const form = process.stderr.isTTY ? readableLine : (line: string) => line;
  const destination = { write: (line: string) => write(form(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

const levels: Readonly<Record<number, string>> = {
  20: colors.dim('debug'),
  30: colors.green('info '),
  40: colors.yellow('warn '),
  50: colors.red('error'),
};

function readableLine(line: string): string {
  const { time, level, msg = '', err, reqId, ...fields } = JSON.parse(line);
  const rest = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return colors.dim(printable(`${name}=${text}`));
  });
  const lines = err === undefined ? [] : String(err.stack ?? err.message).split('\n');
  const error = lines.map((text) => `\n${printable(text)}`).join('');
  const what = [printable(msg), ...rest].join(' ');
  return `${colors.dim(time.slice(11, 19))} ${levels[level] ?? level} ${what}${error}\n`;
}
