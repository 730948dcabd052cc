import { discNames } from '../api/schema.ts';

const names: Readonly<Record<string, string>> = discNames;

/** Returns the name of a kind of disc. An unknown kind is returned unchanged. */
export function discName(disc: string): string {
  return names[disc] ?? disc;
}
