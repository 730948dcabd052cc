import { invalidField } from './errors.ts';

/** The longest that a text may be, in characters (Unicode code points) or in bytes of UTF-8. */
export type TextLimit = { readonly characters: number } | { readonly bytes: number };

/** Throws a 422 that names the field when its text is longer. */
export function checkLength(field: string, text: string, limit: TextLimit): void {
  if ('bytes' in limit) {
    if (Buffer.byteLength(text) > limit.bytes) {
      throw invalidField(field, `must be at most ${limit.bytes} bytes long`);
    }
  } else if (text.length > limit.characters && [...text].length > limit.characters) {
    throw invalidField(field, `must be at most ${limit.characters} characters long`);
  }
}
