import { invalidField } from './errors.ts';

/** The maximum length of a text, in characters (Unicode code points) or in bytes of UTF-8. */
export type TextLimit = { readonly characters: number } | { readonly bytes: number };

/** Throws a 422 that names the field if its text is longer. */
export function checkLength(field: string, text: string, limit: TextLimit): void {
  const problem = lengthProblem(text, limit);
  if (problem !== null) throw invalidField(field, problem);
}

/** Returns "must be at most ... long" for a text that is longer; else null. */
export function lengthProblem(text: string, limit: TextLimit): string | null {
  if ('bytes' in limit) {
    const fits =
      text.length * mostBytesPerUnit <= limit.bytes || Buffer.byteLength(text) <= limit.bytes;
    return fits ? null : `must be at most ${limit.bytes} bytes long`;
  }
  const fits = text.length <= limit.characters || [...text].length <= limit.characters;
  return fits ? null : `must be at most ${limit.characters} characters long`;
}

/**
 * Maximum bytes of a UTF-16 code unit in UTF-8: most texts are so short that their bytes need not
 * be counted.
 */
const mostBytesPerUnit = 3;
