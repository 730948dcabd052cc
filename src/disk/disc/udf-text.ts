import { discText } from './disc-text.ts';

/**
 * Decodes a name (UDF 2.1.1). The first byte states whether characters have 8 or 16 bits. Returns
 * "" for any other first byte.
 */
export function udfText(text: Buffer): string {
  const characters = text.subarray(1);
  if (text[0] === 8) return discText(characters);
  if (text[0] !== 16) return '';
  const whole = characters.subarray(0, characters.length & ~1);
  return discText(Buffer.from(whole).swap16(), 'utf16');
}
