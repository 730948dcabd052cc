/** What unpacking may keep of what it unpacked, in bytes. */
export const MOST_DICTIONARY = 64 * 1024 * 1024;

/** Why a dictionary that is too large is refused. */
export function tooLargeDictionary(bytes: number): string {
  return `it needs a dictionary of ${Math.ceil(bytes / 2 ** 20)} MiB, of which at most 64 MiB are used`;
}
