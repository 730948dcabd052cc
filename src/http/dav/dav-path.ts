import type { FastifyRequest } from 'fastify';
import { notFound } from '../../core/shared/errors.ts';

/** Path of the folder of all sets. */
export const davPath = '/dav';

/**
 * Returns the decoded names of a request's path below `/dav`. Empty names are ignored, such as the
 * one after a slash at the end. Throws `not found` for a name that no file can have.
 */
export function namesOf({ url }: Pick<FastifyRequest, 'url'>): string[] {
  const [path = ''] = url.split('?', 1);
  // The URL may be absolute, and its first segment may be percent-encoded.
  return path
    .replace(/^(?:https?:\/\/[^/]*)?\/[^/]*/i, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decodedName);
}

function decodedName(part: string): string {
  let name: string;
  try {
    name = decodeURIComponent(part);
  } catch {
    throw notFound();
  }
  if (/[/\0]/.test(name)) throw notFound();
  return name;
}

/** Returns the URL path of names below `/dav`. A folder's path ends with a slash. */
export function hrefOf(
  basePath: string,
  names: readonly string[],
  { isFolder }: { readonly isFolder: boolean },
): string {
  const path = [`${basePath}${davPath}`, ...names.map(encodedName)].join('/');
  return isFolder ? `${path}/` : path;
}

/**
 * Percent-encodes a name. Also encodes characters that `encodeURIComponent` keeps, because some
 * clients do not expect them in a path.
 */
function encodedName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
