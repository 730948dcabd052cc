import { withBasePath } from '../base-path.ts';

/** The ways in which a device gets the games of a set. */
export const ways = ['download', 'folder', 'webdav', 'stream'] as const;
export type Way = (typeof ways)[number];

interface NamedSet {
  readonly id: number;
  readonly name: string;
}

/** Returns the shell command that builds a set in a folder. */
export function buildCommand({ id, name }: NamedSet, profile: string): string {
  // A name that begins with a dash would be read as an option.
  const set = name.startsWith('-') ? `${id}` : quoted(name);
  return `catalog build ${set} --profile ${profile} --to DIR`;
}

/** Quotes an argument for a shell. */
const quoted = (text: string) =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns the URL of a set over WebDAV. The URL contains the set's id instead of its name if
 * several sets have the same name.
 */
export function webdavUrl(set: NamedSet, profile: string, sets: readonly NamedSet[]): string {
  const isUnique = sets.filter(({ name }) => name === set.name).length === 1;
  const folder = isUnique ? encodeURIComponent(set.name) : `${set.id}`;
  return location.origin + withBasePath(`/dav/${folder}/${encodeURIComponent(profile)}/`);
}

/**
 * Splits a URL into the values for which PPSSPP has separate input fields. PPSSPP versions before
 * 1.17 need the `/` at the end of `folder`.
 */
export function partsOf(url: string): { host: string; port: string; folder: string } {
  const { hostname, port, protocol, pathname } = new URL(url);
  const usual = protocol === 'https:' ? '443' : '80';
  return { host: hostname, port: port || usual, folder: pathname };
}

/** Returns true if a host name is valid only on the machine itself, such as `localhost`. */
export function isOfThisMachine(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(host);
}
