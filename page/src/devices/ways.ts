import { withBasePath } from '../base-path.ts';

/** The ways in which a device gets the games of a set. */
export const ways = ['download', 'folder', 'webdav', 'stream'] as const;
export type Way = (typeof ways)[number];

interface NamedSet {
  readonly id: number;
  readonly name: string;
}

/** Returns the command that builds the tree of a set in a folder. */
export function buildCommand({ id, name }: NamedSet, profile: string): string {
  // A name that begins with a dash would be an option.
  const set = name.startsWith('-') ? `${id}` : quoted(name);
  return `catalog build ${set} --profile ${profile} --to DIR`;
}

/** Quotes an argument for a shell. */
const quoted = (text: string) =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the address of a set over WebDAV. */
export function webdavAddress(set: NamedSet, profile: string, sets: readonly NamedSet[]): string {
  const isUnique = sets.filter(({ name }) => name === set.name).length === 1;
  const folder = isUnique ? encodeURIComponent(set.name) : `${set.id}`;
  return location.origin + withBasePath(`/dav/${folder}/${encodeURIComponent(profile)}/`);
}

/**
 * Returns the values of an address that PPSSPP asks for one by one. Versions before 1.17 need the
 * `/` at the end of the folder.
 */
export function partsOf(address: string): { host: string; port: string; folder: string } {
  const { hostname, port, protocol, pathname } = new URL(address);
  const usual = protocol === 'https:' ? '443' : '80';
  return { host: hostname, port: port || usual, folder: pathname };
}

/** Returns true for a host name that only the machine itself can use. */
export function isOfThisMachine(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(host);
}
