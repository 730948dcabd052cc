import { join, resolve } from 'node:path';
import { usageError } from '../core/shared/errors.ts';
import { durationOf } from '../core/shared/moment.ts';
import {
  type Options,
  readSetting,
  type Setting,
  type SettingName,
  settingNames,
  settings,
} from './settings.ts';

/** The complete, validated configuration. docs/operating.md describes the settings. */
export interface Config {
  /** Absolute path of the data folder. */
  readonly data: string;
  /**
   * URL of a PostgreSQL database, which may contain a password; "" if the database is a file in the
   * data folder.
   */
  readonly database: string;
  /** Storage for archives and covers: `s3://bucket/prefix`, or "" for the data folder. */
  readonly files: string;
  /** URL of the S3 server; "" for the AWS endpoint of `s3Region`. */
  readonly s3Endpoint: string;
  readonly s3Region: string;
  readonly s3AccessKey: string;
  readonly s3SecretKey: string;
  readonly host: string;
  /** Port to listen on; 0 to let the system choose a free port. */
  readonly port: number;
  /** Number of processes that answer requests. If 1, the main process answers them itself. */
  readonly workers: number;
  /** Maximum time, in seconds, for running requests to finish when the server stops. */
  readonly stopSeconds: number;
  readonly adminPassword: string | undefined;
  /** True if users must sign in even to view the catalogue. */
  readonly requireSignIn: boolean;
  readonly corsOrigins: readonly string[];
  /** Path prefix of all URLs, such as `/catalog`; "" for none. */
  readonly basePath: string;
  /**
   * Origins at which users reach the server. Requests for other hosts are refused, unless the list
   * is empty.
   */
  readonly publicUrls: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Number of days for which a login's token is valid; 0 for no expiry. */
  readonly tokenDays: number;
  readonly loginFailures: number;
  readonly loginWindowMinutes: number;
  /** Maximum size of an archive, in bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  /** Number of days without received data after which an unfinished upload is removed. */
  readonly uploadDays: number;
  /** Age at which audit entries are removed, in milliseconds; null to store them for ever. */
  readonly keepAudit: number | null;
  /** Age at which download records are removed, in milliseconds; null to store them for ever. */
  readonly keepDownloads: number | null;
  readonly logLevel: string;
  /** True if each request is logged. */
  readonly accessLog: boolean;
  /** Host and port on which metrics are served; undefined if they are not served. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Absolute paths of the folders with game images. */
  readonly gamesRoots: readonly string[];
  /** Absolute paths of the folders with video images. */
  readonly videosRoots: readonly string[];
  /** Absolute path of the folder for the backups that the server makes; "" for no backups. */
  readonly backupTo: string;
  /** Time between two backups, in milliseconds. */
  readonly backupEvery: number;
  /** Number of newest backups that are not removed. */
  readonly backupKeep: number;
  /** Target of `catalog copy` for the database: a folder or a database URL; "" if not set. */
  readonly copyTo: string;
  /**
   * Target of `catalog copy` for the files: a folder or an object store URL. If "", files in the
   * data folder are copied to `copyTo` if that is another folder. All other files then stay in
   * their present storage.
   */
  readonly copyFilesTo: string;
  /** Token that all clients of the minimal API share; "" if none is required. */
  readonly apiToken: string;
  /** Base URL of the server from which covers are fetched; "" for none. */
  readonly coverSource: string;
}

/**
 * Reads each setting in `uses` from the options, else from the environment, else uses its default.
 * All other settings get their defaults. Afterwards, removes the first admin's password from the
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
  const used = new Set<Setting<unknown>>(uses.map((name) => settings[name]));
  const get = <T>(setting: Setting<T>): T =>
    used.has(setting) ? readSetting(setting, options, env) : setting.fallback;
  const data = resolve(get(settings.data));
  const rootsOf = (kind: 'games' | 'videos'): readonly string[] =>
    used.has(settings[`${kind}Roots`]) ? readRoots(kind, data, options, env) : [join(data, kind)];
  return Object.freeze({
    data,
    database: get(settings.database),
    files: get(settings.files),
    s3Endpoint: get(settings.s3Endpoint),
    s3Region: get(settings.s3Region),
    s3AccessKey: get(settings.s3AccessKey),
    s3SecretKey: get(settings.s3SecretKey),
    host: get(settings.host),
    port: get(settings.port),
    workers: get(settings.workers),
    stopSeconds: get(settings.stopSeconds),
    adminPassword: get(settings.adminPassword),
    requireSignIn: get(settings.requireSignIn),
    corsOrigins: get(settings.corsOrigins),
    basePath: get(settings.basePath),
    publicUrls: get(settings.publicUrls),
    trustedProxies: get(settings.trustedProxies),
    tokenDays: get(settings.tokenDays),
    loginFailures: get(settings.loginFailures),
    loginWindowMinutes: get(settings.loginWindowMinutes),
    maxArchiveBytes: get(settings.maxArchiveBytes),
    uploadDays: get(settings.uploadDays),
    keepAudit: durationOf(get(settings.keepAudit)),
    keepDownloads: durationOf(get(settings.keepDownloads)),
    logLevel: get(settings.logLevel),
    accessLog: get(settings.accessLog),
    metrics: get(settings.metrics),
    gamesRoots: rootsOf('games'),
    videosRoots: rootsOf('videos'),
    backupTo: get(settings.backupTo) && resolve(get(settings.backupTo)),
    backupEvery: durationOf(get(settings.backupEvery)) ?? 0,
    backupKeep: get(settings.backupKeep),
    copyTo: get(settings.copyTo),
    copyFilesTo: get(settings.copyFilesTo),
    apiToken: get(settings.apiToken),
    coverSource: get(settings.coverSource),
  });
}

/**
 * Returns the environment for a child process that opens the same database. The database URL is
 * passed in the environment and not as an argument, because it may contain a password.
 * `CATALOG_DATABASE_FILE` is set to "". Otherwise it would be used in place of an empty URL.
 */
export function environmentFor(
  { database }: Pick<Config, 'database'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...env, CATALOG_DATABASE: database, CATALOG_DATABASE_FILE: '' };
}

/**
 * Returns the targets of `catalog copy`. `filesTo` is null if the files stay in their present
 * storage. Without a target for files, files in an object store stay there. Files in a data folder
 * stay there if the new database is on a server or in the same folder. Throws a one-line error for
 * targets that contradict each other.
 */
export function placesOfCopy({ data, database, files, copyTo, copyFilesTo }: Config): {
  database: { folder: string } | { address: string };
  filesTo: string | null;
} {
  if (copyTo === '')
    throw usageError('--to: set the target of the copy, a folder or postgres://...');
  if (copyTo === database)
    throw usageError(`--to: this is the catalogue to copy${saidBy('database')}`);
  const present = files === '' ? data : files;
  const given =
    copyFilesTo.startsWith('s3://') || copyFilesTo === '' ? copyFilesTo : resolve(copyFilesTo);
  if (given === present)
    throw usageError(
      `--files-to: the files are there already${saidBy(files === '' ? 'data' : 'files')}`,
    );
  if (/^postgres(ql)?:/.test(copyTo)) {
    return { database: { address: copyTo }, filesTo: given || null };
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
function saidBy(name: 'data' | 'database' | 'files'): string {
  const { option, variable } = settings[name];
  return ` (set by --${option}, or by ${variable}${name === 'database' ? ` or ${variable}_FILE` : ''})`;
}

/**
 * Returns the library roots of one kind. If the command line names roots of either kind, only the
 * named roots are used. Otherwise the root from the variable is used, or the default in the data
 * folder (decisions.md, Minimal variant).
 */
function readRoots(
  kind: 'games' | 'videos',
  data: string,
  options: Options,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const setting = settings[`${kind}Roots`];
  const isNamed = options['games-root'] !== undefined || options['videos-root'] !== undefined;
  if (!isNamed) return [resolve(readSetting(setting, {}, env) ?? join(data, kind))];
  const option = `${kind}-root`;
  const folders = [options[option] ?? []].flat();
  return folders.map((folder) => resolve(readSetting(setting, { [option]: folder }, {}) ?? ''));
}
