import { styleText } from 'node:util';
import { type LogFn, type Logger, pino } from 'pino';
import { printable } from '../core/shared/text.ts';
import { Outages } from './outages.ts';
import { reasonOf } from './reason-of.ts';

/**
 * Creates the program's log. By default, the log writes to standard error: one line of JSON per
 * event, or a readable line in a terminal. Request headers and bodies are never logged, because
 * they may contain secrets.
 *
 * An outage is logged by a few lines instead of one line per failure (see `Outages`). A line about
 * an expected failure contains the reason, but no stack. At level `debug`, every failure is logged
 * with its stack. The stack of a bug is always logged.
 */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const form = process.stderr.isTTY ? readableLine : (line: string) => line;
  const destination = { write: (line: string) => write(form(line)) };
  const outages: Outages = new Outages({
    warn: (fields, message) => log.warn(fields, message),
    info: (fields, message) => log.info(fields, message),
  });
  const contextOf = (logger: Logger, level: number): LineContext => ({
    outages,
    level,
    isDebug: logger.isLevelEnabled('debug'),
    isOfRequest: 'reqId' in logger.bindings(),
  });
  const hooks = {
    logMethod(this: Logger, args: LineArguments, method: LogFn, level: number) {
      const shown = hasError(args) ? shorten(args, contextOf(this, level)) : args;
      if (shown !== null) method.apply(this, shown);
    },
  };
  const serializers = { err: pino.stdSerializers.errWithCause };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const log = pino({ level, base: null, timestamp, hooks, serializers }, destination);
  return log;
}

interface LineContext {
  readonly outages: Outages;
  readonly level: number;
  /** True if the log has the level `debug`. */
  readonly isDebug: boolean;
  /** True if the line is about a request. */
  readonly isOfRequest: boolean;
}

const levelOfErrors = 50;
/** Classes of errors that only a bug throws. */
const bugs = [TypeError, RangeError, ReferenceError, SyntaxError];

type LineArguments = Parameters<LogFn>;

/** Returns true if a line has an error among its fields. */
function hasError([fields]: readonly unknown[]): boolean {
  return typeof fields === 'object' && fields !== null && 'err' in fields;
}

/**
 * Returns the arguments of a line with an error as they should be logged. Returns null if the line
 * should not be logged, because it is part of an outage.
 */
function shorten(
  args: LineArguments,
  { outages, level, isDebug, isOfRequest }: LineContext,
): LineArguments | null {
  const [{ err, ...rest }, message = ''] = args as unknown as [{ err: unknown }, string?];
  const failure = outages.count(err, isOfRequest ? null : message);
  const isBug =
    failure === null && (level >= levelOfErrors || bugs.some((bug) => err instanceof bug));
  if (isDebug || isBug) return args;
  // Log a line with a count even during an outage, because the count may differ each time.
  if (failure?.isLogged === false && !('count' in rest)) return null;
  return [{ ...rest, reason: reasonOf(err) }, message] as unknown as LineArguments;
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
