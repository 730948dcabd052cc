import { readFileSync } from 'node:fs';
import { usageError } from '../core/shared/errors.ts';
import { systemReason } from '../core/shared/system-reason.ts';
import {
  basePath,
  bucketOrNone,
  databaseAddress,
  folderOrBucket,
  folderOrDatabase,
  hostAndPort,
  lengthOfTime,
  listOf,
  network,
  nonEmpty,
  oneOf,
  onOrOff,
  origin,
  secret,
  webAddressOrNone,
  wholeNumber,
} from './setting-text.ts';

/**
 * A setting: its command-line option, its environment variable, and the function that parses its
 * text.
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
  /** Description of the setting for the help. */
  readonly meaning: string;
  readonly fallback: T;
  /** Default to show in the help, if it differs from `fallback`. */
  readonly shownDefault?: string;
  /**
   * True if an empty variable is a valid value. For other settings, an empty variable is treated as
   * not set.
   */
  readonly isEmptyValue?: true;
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

/** All settings. docs/operating.md describes them. */
export const settings = {
  data: setting({
    option: 'data',
    takes: '<dir>',
    variable: 'CATALOG_DATA',
    meaning: 'data folder',
    fallback: 'catalog-data',
    shownDefault: './catalog-data',
    read: nonEmpty,
  }),
  database: setting({
    option: 'database',
    takes: '<address>',
    variable: 'CATALOG_DATABASE',
    meaning: 'PostgreSQL database, postgres://user@host/name',
    fallback: '',
    shownDefault: 'a file in the data folder',
    mayBeInFile: true,
    mayBeSecret: true,
    read: databaseAddress,
  }),
  files: setting({
    option: 'files',
    takes: '<address>',
    variable: 'CATALOG_FILES',
    meaning: 'bucket for archives and covers, s3://bucket/prefix',
    fallback: '',
    shownDefault: 'the data folder',
    read: bucketOrNone,
  }),
  s3Endpoint: setting({
    variable: 'CATALOG_S3_ENDPOINT',
    meaning: 'URL of the S3 server',
    fallback: '',
    shownDefault: 'that of AWS',
    mayBeInFile: true,
    read: webAddressOrNone,
  }),
  s3Region: setting({
    variable: 'CATALOG_S3_REGION',
    meaning: 'region of the S3 server',
    fallback: 'us-east-1',
    mayBeInFile: true,
    read: secret,
  }),
  s3AccessKey: setting({
    variable: 'CATALOG_S3_ACCESS_KEY',
    meaning: 'access key for the S3 server',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    read: secret,
  }),
  s3SecretKey: setting({
    variable: 'CATALOG_S3_SECRET_KEY',
    meaning: 'secret key for the S3 server',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    read: secret,
  }),
  host: setting({
    option: 'host',
    takes: '<address>',
    variable: 'CATALOG_HOST',
    meaning: 'address to listen on',
    fallback: '0.0.0.0',
    read: nonEmpty,
  }),
  port: setting({
    option: 'port',
    takes: '<number>',
    variable: 'CATALOG_PORT',
    meaning: 'port to listen on, 0 for any free one',
    fallback: 8000,
    read: wholeNumber(0, 65_535),
  }),
  workers: setting({
    option: 'workers',
    takes: '<number>',
    variable: 'CATALOG_WORKERS',
    meaning: 'number of processes that serve requests, up to 64',
    fallback: 1,
    read: wholeNumber(1, 64),
  }),
  stopSeconds: setting({
    option: 'stop-s',
    takes: '<number>',
    variable: 'CATALOG_STOP_S',
    meaning: 'seconds for running requests to finish when the server stops',
    fallback: 30,
    read: wholeNumber(0, 86_400),
  }),
  adminPassword: setting<string | undefined>({
    variable: 'CATALOG_ADMIN_PASSWORD',
    meaning: 'password of the admin that the first start creates',
    fallback: undefined,
    shownDefault: 'generated',
    read: (text) => text,
  }),
  requireSignIn: setting({
    option: 'require-sign-in',
    variable: 'CATALOG_REQUIRE_SIGN_IN',
    meaning: 'show the catalogue only to users with an account',
    fallback: false,
    shownDefault: 'off',
    read: onOrOff,
  }),
  corsOrigins: setting<readonly string[]>({
    option: 'cors-origins',
    takes: '<list>',
    variable: 'CATALOG_CORS_ORIGINS',
    meaning: 'origins whose pages may call the API, separated by commas',
    fallback: [],
    shownDefault: 'none',
    read: listOf(origin),
  }),
  basePath: setting({
    option: 'base-path',
    takes: '<path>',
    variable: 'CATALOG_BASE_PATH',
    meaning: 'path below which everything is served, such as /catalog',
    fallback: '',
    shownDefault: 'none',
    read: basePath,
  }),
  publicUrls: setting<readonly string[]>({
    option: 'public-url',
    takes: '<url...>',
    variable: 'CATALOG_PUBLIC_URLS',
    meaning: 'URL that people use; requests for other hosts are then refused',
    fallback: [],
    shownDefault: 'none',
    read: listOf(origin),
  }),
  trustedProxies: setting<readonly string[]>({
    option: 'trusted-proxy',
    takes: '<cidr...>',
    variable: 'CATALOG_TRUSTED_PROXIES',
    meaning: 'network of a proxy whose forwarded headers are trusted',
    fallback: [],
    shownDefault: 'none',
    read: listOf(network),
  }),
  tokenDays: setting({
    option: 'token-days',
    takes: '<number>',
    variable: 'CATALOG_TOKEN_DAYS',
    meaning: "lifetime of a login's token in days, 0 for no expiry",
    fallback: 90,
    read: wholeNumber(0, 36_500),
  }),
  loginFailures: setting({
    option: 'login-failures',
    takes: '<number>',
    variable: 'CATALOG_LOGIN_FAILURES',
    meaning: 'failed logins before further attempts must wait',
    fallback: 10,
    read: wholeNumber(1, 1_000_000),
  }),
  loginWindowMinutes: setting({
    option: 'login-window-min',
    takes: '<number>',
    variable: 'CATALOG_LOGIN_WINDOW_MIN',
    meaning: 'minutes that a failed login counts',
    fallback: 15,
    read: wholeNumber(1, 1_440),
  }),
  maxArchiveBytes: setting<number | undefined>({
    option: 'max-archive-bytes',
    takes: '<number>',
    variable: 'CATALOG_MAX_ARCHIVE_BYTES',
    meaning: 'maximum size of an archive in bytes',
    fallback: undefined,
    shownDefault: 'no limit',
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  uploadDays: setting({
    option: 'upload-days',
    takes: '<number>',
    variable: 'CATALOG_UPLOAD_DAYS',
    meaning: 'days without received data after which an unfinished upload is removed',
    fallback: 7,
    read: wholeNumber(1, 365),
  }),
  keepAudit: setting({
    option: 'keep-audit',
    takes: '<time>',
    variable: 'CATALOG_KEEP_AUDIT',
    meaning: 'age at which audit entries are removed, such as 90d or 52w',
    fallback: '',
    shownDefault: 'kept for ever',
    read: lengthOfTime,
  }),
  keepDownloads: setting({
    option: 'keep-downloads',
    takes: '<time>',
    variable: 'CATALOG_KEEP_DOWNLOADS',
    meaning: 'age at which download records are removed; the downloads stay counted',
    fallback: '',
    shownDefault: 'kept for ever',
    read: lengthOfTime,
  }),
  logLevel: setting({
    option: 'log-level',
    takes: '<level>',
    variable: 'CATALOG_LOG_LEVEL',
    meaning: 'debug, info, warn, error or silent',
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  accessLog: setting({
    option: 'access-log',
    takes: '<on|off>',
    variable: 'CATALOG_ACCESS_LOG',
    meaning: 'log each request',
    fallback: true,
    shownDefault: 'on',
    read: onOrOff,
  }),
  metrics: setting<{ host: string; port: number } | undefined>({
    option: 'metrics',
    takes: '<host:port>',
    variable: 'CATALOG_METRICS',
    meaning: 'host and port on which GET /metrics is served, for Prometheus',
    fallback: undefined,
    shownDefault: 'none',
    read: hostAndPort,
  }),
  gamesRoots: setting<string | undefined>({
    option: 'games-root',
    takes: '<dir...>',
    variable: 'CATALOG_GAMES_ROOT',
    meaning: 'folder with game images',
    fallback: undefined,
    shownDefault: 'games in the data folder',
    read: nonEmpty,
  }),
  videosRoots: setting<string | undefined>({
    option: 'videos-root',
    takes: '<dir...>',
    variable: 'CATALOG_VIDEOS_ROOT',
    meaning: 'folder with video images',
    fallback: undefined,
    shownDefault: 'videos in the data folder',
    read: nonEmpty,
  }),
  backupTo: setting({
    option: 'backup-to',
    takes: '<dir>',
    variable: 'CATALOG_BACKUP_TO',
    meaning: 'folder that the server writes backups to',
    fallback: '',
    shownDefault: 'none',
    read: nonEmpty,
  }),
  backupEvery: setting({
    option: 'backup-every',
    takes: '<time>',
    variable: 'CATALOG_BACKUP_EVERY',
    meaning: 'time between two backups, such as 12h or 1d',
    fallback: '1d',
    read: lengthOfTime,
  }),
  backupKeep: setting({
    option: 'backup-keep',
    takes: '<number>',
    variable: 'CATALOG_BACKUP_KEEP',
    meaning: 'number of newest backups that the server keeps',
    fallback: 7,
    read: wholeNumber(1, 10_000),
  }),
  copyTo: setting({
    option: 'to',
    takes: '<place>',
    variable: 'CATALOG_COPY_TO',
    meaning: 'target of the copy: a data folder, or postgres://user@host/name',
    fallback: '',
    shownDefault: 'none',
    mayBeInFile: true,
    mayBeSecret: true,
    read: folderOrDatabase,
  }),
  copyFilesTo: setting({
    option: 'files-to',
    takes: '<place>',
    variable: 'CATALOG_COPY_FILES_TO',
    meaning: 'target for archives and covers: a data folder, or s3://bucket/prefix',
    fallback: '',
    shownDefault: 'the data folder of --to, else not copied',
    read: folderOrBucket,
  }),
  apiToken: setting({
    variable: 'CATALOG_API_TOKEN',
    meaning: "shared token of the minimal API's store",
    fallback: '',
    shownDefault: 'none, the store is open',
    read: (text) => text.trim(),
  }),
  coverSource: setting({
    option: 'cover-source',
    takes: '<url>',
    variable: 'CATALOG_COVER_SOURCE',
    meaning: 'URL of the server to fetch covers from, "" for none',
    fallback: 'https://thumbnails.libretro.com',
    isEmptyValue: true,
    read: webAddressOrNone,
  }),
};

export type SettingName = keyof typeof settings;

/**
 * The settings that determine where files are stored. A command uses either all of them or none.
 */
export const filesSettings: readonly SettingName[] = [
  'files',
  's3Endpoint',
  's3Region',
  's3AccessKey',
  's3SecretKey',
];

export const settingNames = Object.keys(settings) as SettingName[];

/**
 * Returns the value of a setting: from the option, else the variable, else the file that the
 * `_FILE` variable names, else the default. For an invalid value, throws a one-line error that
 * names the setting and the value. The message does not contain a password in the value.
 */
export function readSetting<T>(setting: Setting<T>, options: Options, env: NodeJS.ProcessEnv): T {
  const { option, variable, fallback, isEmptyValue, mayBeSecret, read } = setting;
  const given = option === undefined ? undefined : options[option];
  // An empty variable is treated as not set, because a compose file passes an unset variable as an
  // empty one.
  const set = env[variable];
  const text = given ?? (set === '' && !isEmptyValue ? undefined : set) ?? textInFile(setting, env);
  if (text === undefined) return fallback;
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

/**
 * Returns the setting unchanged. The call lets TypeScript infer the type of the setting's value.
 */
function setting<T>(one: Setting<T>): Setting<T> {
  return one;
}
