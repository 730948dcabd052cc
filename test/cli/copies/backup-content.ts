import { createHash } from 'node:crypto';

/** Returns a text that is recognised as a PNG. */
export const pngText = (text: string) => `\x89PNG\r\n\x1a\n${text}`;

/** Returns a DAT of `count` games. */
export function datOf(count: number): string {
  const games = Array.from({ length: count }, (_, i) => {
    const hash = createHash('sha1').update(`${i}`).digest('hex');
    return `<game name="Game ${i}"><rom name="${i}.iso" size="5" sha1="${hash}"/></game>`;
  });
  return `<datafile><header><name>Test - Console</name></header>${games.join('')}</datafile>`;
}
