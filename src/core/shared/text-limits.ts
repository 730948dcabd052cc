import { invalidField } from './errors.ts';

/** The maximum length of a text, in characters (Unicode code points) or in bytes of UTF-8. */
export type TextLimit = { readonly characters: number } | { readonly bytes: number };

/** Throws a 422 that names the field if the text is longer than the limit. */
export function checkLength(field: string, text: string, limit: TextLimit): void {
  const problem = lengthProblem(text, limit);
  if (problem !== null) throw invalidField(field, problem);
}

/**
 * Returns "must be at most N bytes long" or "must be at most N characters long" if the text exceeds
 * the limit. Returns null otherwise.
 */
export function lengthProblem(text: string, limit: TextLimit): string | null {
  if ('bytes' in limit) {
    const fits =
      text.length * maxBytesPerUnit <= limit.bytes || Buffer.byteLength(text) <= limit.bytes;
    return fits ? null : `must be at most ${limit.bytes} bytes long`;
  }
  const fits = text.length <= limit.characters || [...text].length <= limit.characters;
  return fits ? null : `must be at most ${limit.characters} characters long`;
}

/**
 * Maximum number of UTF-8 bytes for one UTF-16 code unit. Most texts fit into their limit even at
 * this maximum, so their bytes need not be counted.
 */
const maxBytesPerUnit = 3;
