import type { MemberList } from './members.ts';

/** What unpacking may keep of what it unpacked, in bytes. */
const MOST_DICTIONARY = 64 * 1024 * 1024;

/** From here on archives are unpacked one at a time. */
export const LARGE_DICTIONARY = 24 * 1024 * 1024;

/** Why a dictionary that is too large is refused. */
function tooLargeDictionary(bytes: number): string {
  return `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}

/** Notes what unpacking has to keep; more than is used is the list's problem. */
export function needDictionary(list: MemberList, bytes: number): void {
  list.dictionary = Math.max(list.dictionary, bytes);
  if (bytes > MOST_DICTIONARY) list.problem ??= tooLargeDictionary(bytes);
}
