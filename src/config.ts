import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { refused } from './core/shared/errors.ts';

/** Everything that can be set, checked; documented in docs/operating.md. */
export interface Config {
  /** Absolute path of the data folder. */
  readonly data: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Seconds that running requests get when the server stops. */
  readonly stopSeconds: number;
  readonly adminPassword: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Lifetime of a login's token in days; 0 for no expiry. */
  readonly tokenDays: number;
  readonly loginFailures: number;
  readonly loginWindowMinutes: number;
  /** Bytes; undefined for no limit. */
  readonly maxArchiveBytes: number | undefined;
  readonly logLevel: string;
  /** Absolute paths of the folders with game images. */
  readonly gamesRoots: readonly string[];
  /** Absolute paths of the folders with video images. */
  readonly videosRoots: readonly string[];
  /** The minimal variant's shared token; "" for none. */
  readonly apiToken: string;
  /** Base address of the server that covers are fetched from; "" for none. */
  readonly coverSource: string;
}

/** A setting's option on the command line, its environment variable, and how its text is read. */
interface Setting<T> {
  readonly option?: string;
  readonly variable: string;
  readonly fallback: T;
  /** An empty variable is a value then, not an absent one. */
  readonly isEmptyValue?: true;
  /** Throws the reason why the text is wrong. */
  read(text: string): T;
}

/** Options as the command line hands them over, by their long name. */
export type Options = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads options, then the environment, then defaults. Throws one clear line that names the setting and its value. */
export function readConfig(options: Options, env: NodeJS.ProcessEnv = process.env): Config {
  const get = <T>(setting: Setting<T>): T => readSetting(setting, options, env);
  return Object.freeze({
    data: resolve(get(settings.data)),
    host: get(settings.host),
    port: get(settings.port),
    stopSeconds: get(settings.stopSeconds),
    adminPassword: get(settings.adminPassword),
    corsOrigins: get(settings.corsOrigins),
    trustedProxies: get(settings.trustedProxies),
    tokenDays: get(settings.tokenDays),
    loginFailures: get(settings.loginFailures),
    loginWindowMinutes: get(settings.loginWindowMinutes),
    maxArchiveBytes: get(settings.maxArchiveBytes),
    logLevel: get(settings.logLevel),
    gamesRoots: readRoots('games', options, env),
    videosRoots: readRoots('videos', options, env),
    apiToken: get(settings.apiToken),
    coverSource: get(settings.coverSource),
  });
}

const settings = {
  data: {
    option: 'data',
    variable: 'CATALOG_DATA',
    fallback: 'catalog-data',
    read: nonEmpty,
  },
  host: { option: 'host', variable: 'CATALOG_HOST', fallback: '0.0.0.0', read: nonEmpty },
  port: { option: 'port', variable: 'CATALOG_PORT', fallback: 8000, read: wholeNumber(0, 65_535) },
  stopSeconds: {
    option: 'stop-s',
    variable: 'CATALOG_STOP_S',
    fallback: 30,
    read: wholeNumber(0, 86_400),
  },
  adminPassword: {
    variable: 'CATALOG_ADMIN_PASSWORD',
    fallback: undefined as string | undefined,
    read: (text: string) => text,
  },
  corsOrigins: {
    option: 'cors-origins',
    variable: 'CATALOG_CORS_ORIGINS',
    fallback: [] as string[],
    read: listOf(origin),
  },
  trustedProxies: {
    option: 'trusted-proxy',
    variable: 'CATALOG_TRUSTED_PROXIES',
    fallback: [] as string[],
    read: listOf(network),
  },
  tokenDays: {
    option: 'token-days',
    variable: 'CATALOG_TOKEN_DAYS',
    fallback: 90,
    read: wholeNumber(0, 36_500),
  },
  loginFailures: {
    option: 'login-failures',
    variable: 'CATALOG_LOGIN_FAILURES',
    fallback: 10,
    read: wholeNumber(1, 1_000_000),
  },
  loginWindowMinutes: {
    option: 'login-window-min',
    variable: 'CATALOG_LOGIN_WINDOW_MIN',
    fallback: 15,
    read: wholeNumber(1, 1_440),
  },
  maxArchiveBytes: {
    option: 'max-archive-bytes',
    variable: 'CATALOG_MAX_ARCHIVE_BYTES',
    fallback: undefined as number | undefined,
    read: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  logLevel: {
    option: 'log-level',
    variable: 'CATALOG_LOG_LEVEL',
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  gamesRoots: {
    option: 'games-root',
    variable: 'CATALOG_GAMES_ROOT',
    fallback: undefined as string | undefined,
    read: nonEmpty,
  },
  videosRoots: {
    option: 'videos-root',
    variable: 'CATALOG_VIDEOS_ROOT',
    fallback: undefined as string | undefined,
    read: nonEmpty,
  },
  apiToken: { variable: 'CATALOG_API_TOKEN', fallback: '', read: (text: string) => text.trim() },
  coverSource: {
    option: 'cover-source',
    variable: 'CATALOG_COVER_SOURCE',
    fallback: 'https://thumbnails.libretro.com',
    isEmptyValue: true,
    read: webAddressOrNone,
  },
} satisfies Record<string, Setting<unknown>>;

/**
 * The library roots of a kind: the folders named by option; when there is no option of either kind, the configured
 * default (decisions.md, Minimal variant).
 */
function readRoots(
  kind: 'games' | 'videos',
  options: Options,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const setting = settings[`${kind}Roots`];
  const isNamed = [settings.gamesRoots, settings.videosRoots].some(
    (one) => options[one.option] !== undefined,
  );
  if (!isNamed) {
    const data = readSetting(settings.data, options, env);
    return [resolve(readSetting(setting, {}, env) ?? join(data, kind))];
  }
  const folders = [options[setting.option] ?? []].flat();
  return folders.map((folder) =>
    resolve(readSetting(setting, { [setting.option]: folder }, {}) ?? ''),
  );
}

function readSetting<T>(setting: Setting<T>, options: Options, env: NodeJS.ProcessEnv): T {
  const given = setting.option === undefined ? undefined : options[setting.option];
  // An empty variable counts as absent, so that a compose file may pass on what is not set.
  const variable = env[setting.variable];
  const text = given ?? (variable === '' && !setting.isEmptyValue ? undefined : variable);
  if (text === undefined) return setting.fallback;
  const name = given === undefined ? setting.variable : `--${setting.option}`;
  const value = typeof text === 'string' ? text : text.join(',');
  try {
    return setting.read(value);
  } catch (reason) {
    throw refused(`${name}: "${value}" ${(reason as Error).message}`);
  }
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('is empty');
  return text;
}

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = /^[0-9]+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      throw new Error(`is not a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

function listOf(readOne: (text: string) => string) {
  return (text: string): string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(readOne);
}

function oneOf(...values: string[]) {
  return (text: string): string => {
    if (!values.includes(text)) throw new Error(`is none of ${values.join(', ')}`);
    return text;
  };
}

function origin(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text) || new URL(text).origin !== text) {
    throw new Error('is not an origin such as https://example.org (no path, no slash at the end)');
  }
  return text;
}

function webAddressOrNone(text: string): string {
  const address = text.trim();
  if (address === '') return '';
  const url = URL.canParse(address) ? new URL(address) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    /[?#]/.test(address)
  ) {
    throw new Error('is not an address such as https://example.org/covers (empty for none)');
  }
  return address.replace(/\/+$/, '');
}

function network(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bitsAreRight = bits === undefined || (/^[0-9]+$/.test(bits) && Number(bits) <= most);
  if (version === 0 || rest.length > 0 || !bitsAreRight) {
    throw new Error('is not an address or network such as 192.168.1.0/24');
  }
  return text;
}
