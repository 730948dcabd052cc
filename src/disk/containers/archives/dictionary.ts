import type { MemberList } from './members.ts';

/** Maximum size of the dictionary that unpacking an archive may need, in bytes. */
const MOST_DICTIONARY = 64 * 1024 * 1024;

/**
 * Dictionary size, in bytes, above which an archive is unpacked while no other file is hashed. This
 * bounds the memory of a scan.
 */
export const LARGE_DICTIONARY = 8 * 1024 * 1024;

/**
 * Sets the list's problem if the dictionary is too large. The unpacking program allocates the whole
 * dictionary, even for data that uses little of it.
 */
export function refuseDictionary(list: MemberList, bytes: number): void {
  if (bytes <= MOST_DICTIONARY) return;
  list.problem ??= `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}

/**
 * Records the dictionary size that unpacking needs, and sets the list's problem if the dictionary
 * is too large.
 */
export function needDictionary(list: MemberList, bytes: number): void {
  list.dictionary = Math.max(list.dictionary, bytes);
  refuseDictionary(list, bytes);
}
