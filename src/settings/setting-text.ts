import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseDuration } from '../core/shared/duration.ts';

/**
 * The functions in this file parse the texts of settings. Each returns the value, or throws an
 * error whose message says why the text is invalid.
 */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('is empty');
  return text;
}

/** Parses the path of a folder. Returns its absolute path. */
export function folder(text: string): string {
  return resolve(nonEmpty(text));
}

/**
 * Parses the path of one folder, for a setting that contains several folders. Returns a list with
 * the absolute path.
 */
export function folders(text: string): readonly string[] {
  return [folder(text)];
}

/** A folder with the name that users see in place of its path. */
export interface NamedFolder {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
}

/** Parses a list of names of folders, such as `stick=/media/stick/games,tv=/srv/tv`. */
export function namedFolders(text: string): readonly NamedFolder[] {
  const found = new Map<string, NamedFolder>();
  for (const part of listOf((one) => one)(text)) {
    const [, name = '', path = ''] = /^([^=]*)=(.*)$/.exec(part) ?? [];
    const target = { name: name.trim(), folder: path.trim() };
    if (target.name === '' || target.folder === '') {
      throw new Error('is not a name and a folder such as stick=/media/stick/games');
    }
    if ([...target.name].length > 100) throw new Error('has a name of more than 100 characters');
    if (/[/\p{Cc}]/u.test(target.name)) {
      throw new Error('has a name with a slash or a control character');
    }
    if (found.has(target.name)) throw new Error(`has the name "${target.name}" twice`);
    found.set(target.name, { ...target, folder: resolve(target.folder) });
  }
  return [...found.values()];
}

/**
 * Parses the URL of a PostgreSQL database. Throws if an option contains a password, because every
 * user of the machine can read options. A variable may contain a password.
 */
export function postgresUrl(
  text: string,
  from: 'option' | 'variable',
  variable = 'CATALOG_DATABASE',
): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    const hint = /^postgres(ql)?:.*@/s.test(trimmed) ? `; ${encoding}` : '';
    throw new Error(`is not a URL such as postgres://user@host/database${hint}`);
  }
  // An unencoded `/`, `@` or `#` would end the password early. The rest would be parsed as host or
  // database name and appear in error messages.
  if (!isEncoded(trimmed) || url.pathname.includes('/', 1)) {
    throw new Error(`is not correctly encoded, or does not name a database; ${encoding}`);
  }
  if (from === 'option' && (url.password !== '' || url.searchParams.has('password'))) {
    throw new Error(
      `contains a password, which other users of this machine could read: use ${variable}`,
    );
  }
  return trimmed;
}

const encoding = 'in a password, write "%", "/", "@", "?" and "#" as %25, %2F, %40, %3F and %23';

/**
 * Returns true if a URL is correctly encoded: its only "@" is the one before the host, and each "%"
 * starts an encoded character.
 */
function isEncoded(url: string): boolean {
  try {
    decodeURIComponent(url);
    return /^[^/]+:\/\/([^@/?#]*@)?[^@]*$/.test(url);
  } catch {
    return false;
  }
}

/** Parses the target of a copy: a data folder or the URL of a PostgreSQL database. */
export function folderOrDatabase(text: string, from: 'option' | 'variable'): string {
  const place = text.trim();
  if (/^postgres(ql)?:/.test(place)) return postgresUrl(place, from, 'CATALOG_COPY_TO');
  if (!place.includes('://')) return nonEmpty(place);
  throw new Error('is neither a folder nor a URL such as postgres://user@host/database');
}

/** Parses the path of a data folder, or `s3://bucket/prefix`. */
export function folderOrBucket(text: string): string {
  const place = nonEmpty(text.trim());
  return place.includes('://') ? bucketOrNone(place) : place;
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^[0-9]+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) {
      throw new Error(`is not a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** Parses a duration. Returns its length in milliseconds. */
export function duration(text: string): number {
  const length = parseDuration(text);
  if (length === null) throw new Error('is not a length of time such as 90m, 12h, 1d or 2w');
  return length;
}

/** Parses a duration, or 0. Returns its length in milliseconds. */
export function durationOrZero(text: string): number {
  return text.trim() === '0' ? 0 : duration(text);
}

/** Parses a duration of at least one hour. Returns its length in milliseconds. */
export function durationFromHour(text: string): number {
  const ms = duration(text);
  if (ms < 3_600_000) throw new Error('is less than 1h');
  return ms;
}

export function listOf(readOne: (text: string) => string) {
  return (text: string): readonly string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(readOne);
}

export function oneOf<const T extends string>(...values: T[]) {
  return (text: string): T => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new Error(`is not one of ${values.join(', ')}`);
    return value;
  };
}

export function onOrOff(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (['on', 'true', 'yes', '1'].includes(word)) return true;
  if (['off', 'false', 'no', '0'].includes(word)) return false;
  throw new Error('is neither on nor off');
}

export function origin(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text) || new URL(text).origin !== text) {
    throw new Error('is not an origin such as https://example.org (no path, no slash at the end)');
  }
  return text;
}

/**
 * Returns the text without surrounding white space. Editors add a line break at the end of a file,
 * which is not part of the secret.
 */
export function secret(text: string): string {
  return text.trim();
}

export function webUrlOrNone(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.password ||
    /[?#]/.test(trimmed)
  ) {
    throw new Error('is not a URL such as https://example.org/covers (empty for none)');
  }
  return trimmed.replace(/(?<!\/)\/+$/, '');
}

/**
 * Parses `s3://bucket/prefix` and removes a trailing slash. Returns "" for an empty text, which
 * means no bucket.
 */
export function bucketOrNone(text: string): string {
  const url = text.trim().replace(/\/$/, '');
  const isPlain = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.~-]+)*$/.test(url);
  if (url === '' || (isPlain && !/\/\.{1,2}(\/|$)/.test(url))) return url;
  throw new Error(
    'is not a URL such as s3://bucket/prefix (empty for none; set the keys by variables)',
  );
}

export function network(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const bitsAreRight = bits === undefined || (/^[0-9]+$/.test(bits) && Number(bits) <= maxBits);
  if (version === 0 || rest.length > 0 || !bitsAreRight) {
    throw new Error('is not an address or network such as 192.168.1.0/24');
  }
  return text;
}

/** Parses a host and port, such as `127.0.0.1:9100`, `[::1]:9100` or `example.org:9100`. */
export function hostAndPort(text: string): { host: string; port: number } {
  const [, plain, bracketed, port] =
    /^(?:([^:[\]\s/]+)|\[([0-9a-f:.]+)\]):(\d{1,5})$/i.exec(text.trim()) ?? [];
  const host = plain ?? bracketed;
  if (host === undefined || Number(port) > 65_535) {
    throw new Error('is not a host and port such as 127.0.0.1:9100');
  }
  return { host, port: Number(port) };
}

/**
 * Checks a path prefix of all URLs, such as `/catalog`. Its segments may contain only plain
 * characters.
 */
export function basePath(text: string): string {
  const isPlain = /^(\/[\w.~-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text);
  if (!isPlain) throw new Error('is not a path such as /catalog (no slash at the end)');
  return text;
}
