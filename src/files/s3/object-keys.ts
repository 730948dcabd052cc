import { randomUUID } from 'node:crypto';

/** A new key below an area's. */
export function newKey(area: string): string {
  return `${area}/${randomUUID()}`;
}

/** Another one, below the same area's. */
export function newKeyBeside(key: string): string {
  return newKey(key.slice(0, key.indexOf('/')));
}
