import type { MemberList } from './members.ts';

/** What unpacking may keep of what it unpacked, in bytes. */
const MOST_DICTIONARY = 64 * 1024 * 1024;

/** With more than this an archive is unpacked alone: what a scan takes in all is bounded. */
export const LARGE_DICTIONARY = 8 * 1024 * 1024;

/**
 * Makes a dictionary that is too large the list's problem. The program that unpacks asks for all of it, however little it
 * will keep.
 */
export function refuseDictionary(list: MemberList, bytes: number): void {
  if (bytes <= MOST_DICTIONARY) return;
  list.problem ??= `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}

/** Notes what unpacking has to keep; more than is used is the list's problem. */
export function needDictionary(list: MemberList, bytes: number): void {
  list.dictionary = Math.max(list.dictionary, bytes);
  refuseDictionary(list, bytes);
}
