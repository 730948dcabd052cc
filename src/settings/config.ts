import { resolve } from 'node:path';
import { usageError } from '../core/shared/errors.ts';
import { type Options, readSetting, type Setting } from './setting.ts';
import { type SettingName, settingNames, settings } from './settings.ts';

/**
 * The complete, validated configuration: the value of each setting. The type of a value comes from
 * the setting's parser.
 */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/**
 * Reads each setting in `uses`: from the options, else from the environment, else its default. All
 * other settings get their defaults. Afterwards, removes the first admin's password from the
 * environment, so that child processes do not inherit it. Throws a one-line error that names the
 * invalid setting and its value.
 */
export function readConfig(
  options: Options,
  env: NodeJS.ProcessEnv | undefined = process.env,
  uses: readonly SettingName[] = settingNames,
): Config {
  const config = readAll(options, env, uses);
  delete env[settings.adminPassword.variable];
  return config;
}

function readAll(options: Options, env: NodeJS.ProcessEnv, uses: readonly SettingName[]): Config {
  const get = (name: SettingName, data: string): unknown => {
    const setting: Setting<unknown> = settings[name];
    const given = uses.includes(name) ? readGiven(setting, options, env) : undefined;
    return given ?? fallbackOf(setting, data);
  };
  const data = get('data', '') as Config['data'];
  const values = Object.fromEntries(settingNames.map((name) => [name, get(name, data)]));
  return Object.freeze(values as Config);
}

/**
 * Returns the value that the user set for a setting, or undefined. If the command line contains a
 * library root, only the roots on the command line are used. The variables and defaults of all
 * roots are then ignored (docs/api/decisions.md, Minimal variant).
 */
function readGiven(setting: Setting<unknown>, options: Options, env: NodeJS.ProcessEnv): unknown {
  const { option = '', isRoot } = setting;
  const isReplaced = isRoot && rootOptions.some((name) => options[name] !== undefined);
  if (!isReplaced) return readSetting(setting, options, env);
  const folders = [options[option] ?? []].flat();
  return folders.flatMap((folder) => readSetting(setting, { [option]: folder }, {}));
}

const rootOptions = settingNames
  .map((name): Setting<unknown> => settings[name])
  .flatMap(({ isRoot, option }) => (isRoot && option !== undefined ? [option] : []));

function fallbackOf({ fallback }: Setting<unknown>, data: string): unknown {
  return typeof fallback === 'function' ? fallback(data) : fallback;
}

/**
 * Returns the environment for a child process that opens the same database. The database URL is
 * passed in the environment and not as an argument, because it may contain a password.
 * `CATALOG_DATABASE_FILE` is set to "". Otherwise it would be used in place of an empty URL.
 */
export function environmentFor(
  { database, databaseConnections }: Pick<Config, 'database' | 'databaseConnections'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return {
    ...env,
    CATALOG_DATABASE: database,
    CATALOG_DATABASE_FILE: '',
    CATALOG_DATABASE_CONNECTIONS: String(databaseConnections),
  };
}

/**
 * Returns the targets of `catalog copy`. `filesTo` is null if the files stay in their present
 * storage. Without a target for files, files in an object store stay there. Files in a data folder
 * are copied to the folder of the new database if that is another data folder, else they stay.
 * Throws a one-line error for targets that contradict each other.
 */
export function copyTargets({ data, database, files, copyTo, copyFilesTo }: Config): {
  database: { folder: string } | { url: string };
  filesTo: string | null;
} {
  if (copyTo === '')
    throw usageError('--to: set the target of the copy, a folder or postgres://...');
  if (copyTo === database)
    throw usageError(`--to: this is the catalogue to copy${describeSource('database')}`);
  const present = files === '' ? data : files;
  const given =
    copyFilesTo.startsWith('s3://') || copyFilesTo === '' ? copyFilesTo : resolve(copyFilesTo);
  if (given === present)
    throw usageError(
      `--files-to: the files are there already${describeSource(files === '' ? 'data' : 'files')}`,
    );
  if (/^postgres(ql)?:/.test(copyTo)) {
    return { database: { url: copyTo }, filesTo: given || null };
  }
  const folder = resolve(copyTo);
  if (folder === data && database === '')
    throw usageError(`--to: ${folder} is the catalogue to copy`);
  const isOther = given !== '' && !given.startsWith('s3://') && given !== folder;
  if (isOther) throw usageError('--files-to: if --to is a folder, use the same folder or a bucket');
  const follows = files === '' && folder !== data;
  return { database: { folder }, filesTo: given || (follows ? folder : null) };
}

/**
 * Returns text for an error message that names the setting of the present location. Users need this
 * text, because the setting may be a variable that was set for another command.
 */
function describeSource(name: 'data' | 'database' | 'files'): string {
  const { option, variable } = settings[name];
  return ` (set by --${option}, or by ${variable}${name === 'database' ? ` or ${variable}_FILE` : ''})`;
}
