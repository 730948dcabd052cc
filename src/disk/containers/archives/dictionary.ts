import type { MemberList } from './members.ts';

/** Maximum size of the dictionary that unpacking may keep, in bytes. */
const MOST_DICTIONARY = 64 * 1024 * 1024;

/**
 * An archive with a larger dictionary is unpacked alone, to bound the memory of a scan. In bytes.
 */
export const LARGE_DICTIONARY = 8 * 1024 * 1024;

/**
 * Reports a dictionary that is too large as the list's problem. The unpacking program allocates all
 * of it, however little it will use.
 */
export function refuseDictionary(list: MemberList, bytes: number): void {
  if (bytes <= MOST_DICTIONARY) return;
  list.problem ??= `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}

/**
 * Records the dictionary size that unpacking needs. If it is too large, reports that as the list's
 * problem.
 */
export function needDictionary(list: MemberList, bytes: number): void {
  list.dictionary = Math.max(list.dictionary, bytes);
  refuseDictionary(list, bytes);
}
