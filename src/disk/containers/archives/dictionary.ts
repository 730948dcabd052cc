import type { MemberList } from './members.ts';

/** Maximum size of the dictionary for unpacking an archive, in bytes. */
const MAX_DICTIONARY_BYTES = 64 * 1024 * 1024;

/**
 * Size, in bytes, above which a dictionary counts as large. An archive with a large dictionary is
 * hashed alone, to limit the memory of a scan.
 */
export const LARGE_DICTIONARY = 8 * 1024 * 1024;

/**
 * Sets the list's problem if a dictionary of `bytes` bytes is too large. The unpacking program
 * allocates the whole dictionary, even if the data uses little of the dictionary.
 */
export function refuseDictionary(list: MemberList, bytes: number): void {
  if (bytes <= MAX_DICTIONARY_BYTES) return;
  list.problem ??= `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}

/**
 * Records that unpacking needs a dictionary of `bytes` bytes. Sets the list's problem if that
 * dictionary is too large.
 */
export function needDictionary(list: MemberList, bytes: number): void {
  list.dictionary = Math.max(list.dictionary, bytes);
  refuseDictionary(list, bytes);
}
