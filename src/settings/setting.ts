import { readFileSync } from 'node:fs';
import { usageError } from '../core/shared/errors.ts';
import { systemReason } from '../core/shared/system-reason.ts';

/**
 * A setting: its command-line option, its environment variable, its default, and the function that
 * parses its text. `T` is the type of its value.
 */
export interface Setting<T> {
  /**
   * Long name of the command-line option. A secret has no option, because other users can read the
   * options of a process.
   */
  readonly option?: string;
  /**
   * Placeholder for the option's value in the help. An option without a placeholder takes no value
   * and means `on`.
   */
  readonly takes?: string;
  readonly variable: string;
  /** Description of the setting, for the help and the documents. */
  readonly meaning: string;
  /** More about the setting for docs/operating/settings.md, in Markdown. */
  readonly more?: string;
  /**
   * The program that uses the setting: `serve` with either API, `serve` with one of the APIs, or
   * only `copy`. Each other command lists the settings that it uses.
   */
  readonly usedBy: 'server' | 'account API' | 'minimal API' | 'copy';
  /** Value if the setting is not set, or a function that returns this value for a data folder. */
  readonly fallback: T | ((data: string) => T);
  /** Default to show in the help, if it differs from `fallback`. */
  readonly shownDefault?: string;
  /**
   * True if an empty variable is a valid value. For other settings, an empty variable is treated as
   * not set.
   */
  readonly isEmptyValue?: true;
  /**
   * True if the setting contains library roots. Each use of the option names one folder, whose path
   * may contain commas. If such an option is used, the variables and defaults of all settings with
   * library roots are ignored.
   */
  readonly isRoot?: true;
  /**
   * True if the value may be stored in a file. The variable with `_FILE` appended then contains the
   * file's path.
   */
  readonly mayBeInFile?: true;
  /** True if the value may contain a secret. Error messages then do not repeat the value. */
  readonly mayBeSecret?: true;
  /** Parses the text. Throws an error with the reason if the text is invalid. */
  read(text: string, from: 'option' | 'variable'): T;
}

/** The options on the command line, by long name. */
export type Options = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the setting unchanged. TypeScript derives the type of the setting's value from the
 * parser. If the default is null or undefined, the type also includes the default.
 */
export function setting<T, const F extends T | null | undefined | ((data: string) => T)>(
  one: Omit<Setting<T>, 'fallback'> & { readonly fallback: F },
): Setting<T | Extract<F, null | undefined>> {
  return one as Setting<T | Extract<F, null | undefined>>;
}

/** Returns the default of a setting as the help and the documents show it. */
export function defaultText({ shownDefault, fallback }: Setting<unknown>): string {
  return shownDefault ?? String(fallback);
}

/**
 * Returns the value of a setting: from the option, else the variable, else the file that the
 * `_FILE` variable names. Returns undefined if none of them is set. For an invalid value, throws a
 * one-line error that names the setting and the value. If the value contains a password, the
 * message hides the password.
 */
export function readSetting<T>(
  setting: Setting<T>,
  options: Options,
  env: NodeJS.ProcessEnv,
): T | undefined {
  const { option, variable, isEmptyValue, mayBeSecret, read } = setting;
  const given = option === undefined ? undefined : options[option];
  // An empty variable is treated as not set, because a compose file passes an unset variable as an
  // empty one.
  const set = env[variable];
  const text = given ?? (set === '' && !isEmptyValue ? undefined : set) ?? textInFile(setting, env);
  if (text === undefined) return undefined;
  const name = given === undefined ? variable : `--${option}`;
  const value = typeof text === 'string' ? text : text.join(',');
  try {
    return read(value, given === undefined ? 'variable' : 'option');
  } catch (reason) {
    const shown = mayBeSecret ? '' : ` "${withoutPassword(value)}"`;
    throw usageError(`${name}:${shown} ${(reason as Error).message}`);
  }
}

/**
 * Hides a password in a URL by replacing the text between the first "//" and the last "@" with
 * "...".
 */
function withoutPassword(text: string): string {
  const start = text.indexOf('//') + '//'.length;
  const end = text.lastIndexOf('@');
  return text.includes('//') && start <= end
    ? `${text.slice(0, start)}...${text.slice(end)}`
    : text;
}

function textInFile(
  { variable, mayBeInFile }: Setting<unknown>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const name = `${variable}_FILE`;
  const file = mayBeInFile ? env[name] : undefined;
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`${name}: cannot read "${file}": ${systemReason(error)}`);
  }
}
