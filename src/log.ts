import colors from 'picocolors';
import { type Logger, pino } from 'pino';

/**
 * The program's log, on standard error: one JSON line per event, or a readable line in a terminal. Secrets are kept out
 * by never being passed in: request headers and bodies are not logged.
 */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination());
}

function destination() {
  if (!process.stderr.isTTY) return pino.destination({ fd: 2, sync: true });
  return {
    write(line: string): void {
      process.stderr.write(readableLine(line));
    },
  };
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
    return colors.dim(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  });
  const error = err === undefined ? '' : `\n${err.stack ?? err.message}`;
  return `${colors.dim(time.slice(11, 19))} ${levels[level] ?? level} ${[msg, ...rest].join(' ')}${error}\n`;
}
