import { randomUUID } from 'node:crypto';

/** Returns a new random key in the area. */
export function newKey(area: string): string {
  return `${area}/${randomUUID()}`;
}

/** Returns a new random key in the same area as `key`. */
export function newKeyInSameArea(key: string): string {
  return newKey(key.slice(0, key.indexOf('/')));
}
