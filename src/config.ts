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

/** Everything that can be set, checked; documented in docs/operating.md. */
export interface Config {
  /** Absolute path of the data folder. */
  readonly data: string;
  /** Address of a PostgreSQL database, which may hold a password; "" for a file in the data folder. */
  readonly database: string;
  /** Where archives and covers lie, `s3://bucket/prefix`; "" for the data folder. */
  readonly files: string;
  /** Address of the S3 server; "" for that of AWS in the region. */
  readonly s3Endpoint: string;
  readonly s3Region: string;
  readonly s3AccessKey: string;
  readonly s3SecretKey: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Processes that answer; 1 for this one alone. */
  readonly workers: number;
  /** Seconds that running requests get when the server stops. */
  readonly stopSeconds: number;
  readonly adminPassword: string | undefined;
  /** Whether everybody needs an account, also to look. */
  readonly requireSignIn: boolean;
  readonly corsOrigins: readonly string[];
  /** Below which everything lies, `/catalog`; "" for the root. */
  readonly basePath: string;
  /** Origins that people use; none refuses no host. */
  readonly publicUrls: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Lifetime of a login's token in days; 0 for no expiry. */
  readonly tokenDays: number;
  readonly loginFailures: number;
  readonly loginWindowMinutes: number;
  /** Bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  /** Days without a byte after which an unfinished upload goes. */
  readonly uploadDays: number;
  /** Milliseconds after which entries of the audit are removed; null for never. */
  readonly keepAudit: number | null;
  /** The same of records of downloads. */
  readonly keepDownloads: number | null;
  readonly logLevel: string;
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** Where the figures are served; undefined for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Absolute paths of the folders with game images. */
  readonly gamesRoots: readonly string[];
  /** Absolute paths of the folders with video images. */
  readonly videosRoots: readonly string[];
  /** Absolute path of the folder for the server's backups; "" for none. */
  readonly backupTo: string;
  /** Milliseconds between two of them. */
  readonly backupEvery: number;
  /** How many stay. */
  readonly backupKeep: number;
  /** Where `catalog copy` puts the database: a folder, or an address; "" for nowhere. */
  readonly copyTo: string;
  /** And the files: a folder, or an address of an object store; "" for nowhere else. */
  readonly copyFilesTo: string;
  /** The minimal variant's shared token; "" for none. */
  readonly apiToken: string;
  /** Base address of the server that covers are fetched from; "" for none. */
  readonly coverSource: string;
}

/**
 * Reads options, then the environment, then defaults; of settings that are not in `uses`, the default. The password of the
 * first admin leaves the environment, so that no process that this one starts gets it. Throws one clear line that names the
 * setting and its value.
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
 * The environment of a process that opens the same database: its address may hold a password, which no argument may. Empty
 * variables count as absent.
 */
export function environmentFor(
  { database }: Pick<Config, 'database'>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  return { ...env, CATALOG_DATABASE: database, CATALOG_DATABASE_FILE: '' };
}

/**
 * Where `catalog copy` puts what it copies; `filesTo` is null where the files stay: where they are in an object store, or
 * in a data folder that goes on being one. Throws one line for places that make no sense.
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

/** Which setting says what is copied: it may be a variable that was set for another command. */
function saidBy(name: 'data' | 'database' | 'files'): string {
  const { option, variable } = settings[name];
  return `, by --${option} or ${variable}${name === 'database' ? `, or ${variable}_FILE` : ''}`;
}

/**
 * The library roots of a kind: the folders named by option; when there is no option of either kind, the configured
 * default (decisions.md, Minimal variant).
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
