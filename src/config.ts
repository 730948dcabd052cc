import { join, resolve } from 'node:path';
import { usageError } from './core/shared/errors.ts';
import { durationOf } from './core/shared/moment.ts';
import {
  type Options,
  readSetting,
  type Setting,
  type SettingName,
  settingNames,
  settings,
} from './settings.ts';

/** The complete, validated configuration; documented in docs/operating.md. */
export interface Config {
  /** Absolute path of the data folder. */
  readonly data: string;
  /**
   * URL of a PostgreSQL database, which may contain a password; "" for a file in the data folder.
   */
  readonly database: string;
  /** Storage for archives and covers, `s3://bucket/prefix`; "" for the data folder. */
  readonly files: string;
  /** URL of the S3 server; "" for the AWS endpoint of the region. */
  readonly s3Endpoint: string;
  readonly s3Region: string;
  readonly s3AccessKey: string;
  readonly s3SecretKey: string;
  readonly host: string;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  /** Number of processes that answer requests; 1 for this process alone. */
  readonly workers: number;
  /** Seconds that running requests may take to finish when the server stops. */
  readonly stopSeconds: number;
  readonly adminPassword: string | undefined;
  /** Whether an account is needed even to look at the catalogue. */
  readonly requireSignIn: boolean;
  readonly corsOrigins: readonly string[];
  /** Path prefix of all URLs, such as `/catalog`; "" for the root. */
  readonly basePath: string;
  /** Origins that users reach the server at; when empty, no host is refused. */
  readonly publicUrls: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Lifetime of a login's token in days; 0 for no expiry. */
  readonly tokenDays: number;
  readonly loginFailures: number;
  readonly loginWindowMinutes: number;
  /** Limit in bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  /** Days without a received byte after which an unfinished upload expires. */
  readonly uploadDays: number;
  /** Age in milliseconds after which audit entries are removed; null for never. */
  readonly keepAudit: number | null;
  /** Age in milliseconds after which download records are removed; null for never. */
  readonly keepDownloads: number | null;
  readonly logLevel: string;
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** Host and port that metrics are served on; undefined to serve none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Absolute paths of the folders with game images. */
  readonly gamesRoots: readonly string[];
  /** Absolute paths of the folders with video images. */
  readonly videosRoots: readonly string[];
  /** Absolute path of the folder for the server's backups; "" for none. */
  readonly backupTo: string;
  /** Milliseconds between two backups. */
  readonly backupEvery: number;
  /** Number of backups that are kept. */
  readonly backupKeep: number;
  /** Target of `catalog copy` for the database: a folder or a database URL; "" for none. */
  readonly copyTo: string;
  /**
   * Target of `catalog copy` for the files: a folder or an object store URL; "" for none of their
   * own.
   */
  readonly copyFilesTo: string;
  /** The minimal variant's shared token; "" for none. */
  readonly apiToken: string;
  /** Base URL of the server that covers are fetched from; "" for none. */
  readonly coverSource: string;
}

/**
 * Reads each setting from the options, then the environment, then its default. A setting that is
 * not in `uses` gets its default. Removes the first admin's password from the environment, so that
 * child processes do not inherit it. Throws a one-line error that names the setting and its value.
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
 * Returns the environment for a child process that opens the same database. The database URL may
 * contain a password, so it must not be a command-line argument. Empty variables count as absent.
 */
export function environmentFor(
  { database }: Pick<Config, 'database'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...env, CATALOG_DATABASE: database, CATALOG_DATABASE_FILE: '' };
}

/**
 * Returns the targets of `catalog copy`. `filesTo` is null if the files stay: in the object store,
 * or in a data folder that remains the data folder. Throws a one-line error if the targets make no
 * sense.
 */
export function placesOfCopy({ data, database, files, copyTo, copyFilesTo }: Config): {
  database: { folder: string } | { address: string };
  filesTo: string | null;
} {
  if (copyTo === '')
    throw usageError('--to: name the place of the copy, a folder or postgres://...');
  if (copyTo === database) throw usageError(`--to: this is what is copied${saidBy('database')}`);
  const present = files === '' ? data : files;
  const given =
    copyFilesTo.startsWith('s3://') || copyFilesTo === '' ? copyFilesTo : resolve(copyFilesTo);
  if (given === present)
    throw usageError(
      `--files-to: the files lie there already${saidBy(files === '' ? 'data' : 'files')}`,
    );
  if (/^postgres(ql)?:/.test(copyTo)) {
    return { database: { address: copyTo }, filesTo: given || null };
  }
  const folder = resolve(copyTo);
  if (folder === data && database === '') throw usageError(`--to: ${folder} is what is copied`);
  const isOther = given !== '' && !given.startsWith('s3://') && given !== folder;
  if (isOther)
    throw usageError('--files-to: a catalogue in a folder has its files there, or in a bucket');
  const follows = files === '' && folder !== data;
  return { database: { folder }, filesTo: given || (follows ? folder : null) };
}

/**
 * Names the setting that defines the source of the copy. It may be a variable that was set for
 * another command.
 */
function saidBy(name: 'data' | 'database' | 'files'): string {
  const { option, variable } = settings[name];
  return `, by --${option} or ${variable}${name === 'database' ? `, or ${variable}_FILE` : ''}`;
}

/**
 * Returns the library roots of a kind: the folders given by option. If there is no root option of
 * either kind, returns the configured default (decisions.md, Minimal variant).
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
