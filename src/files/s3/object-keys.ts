import { randomUUID } from 'node:crypto';

/** Returns a new key in the area. */
export function newKey(area: string): string {
  return `${area}/${randomUUID()}`;
}

/** Returns a new key in the same area. */
export function newKeyBeside(key: string): string {
  return newKey(key.slice(0, key.indexOf('/')));
}
