import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes one clrmamepro DAT per number in `rows`; the content is the same on every run. Rows are
 * sorted by name unless `shuffled` is set. Returns the paths of the files.
 */
export async function generateDats(
  folder: string,
  rows: readonly number[],
  firstPlatform = 0,
  { shuffled = false } = {},
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    rows.map(async (count, index) => {
      const file = join(folder, `platform-${index}.dat`);
      await pipeline(
        Readable.from(datLines(firstPlatform + index, count, shuffled)),
        createWriteStream(file),
      );
      return file;
    }),
  );
}

function* datLines(platform: number, rows: number, shuffled: boolean): Generator<string> {
  const random = createRandom(platform + 1);
  yield `clrmamepro (\n\tname "Bench - Platform ${platform}"\n\tversion "1"\n)\n`;
  const titles = Array.from({ length: rows }, () => {
    const region = regions[Math.floor(random() * regions.length)];
    return { name: `${titleOf(random)} (${region})`, region };
  });
  titles.sort((a, b) => (a.name < b.name ? -1 : 1)); // publishers sort their DATs by name too
  const games = titles.map(({ name, region }, row) => {
    const serial = `BEN${platform}-${String(row).padStart(5, '0')}`;
    const sha1 = createHash('sha1').update(serial).digest('hex');
    const hashes = `crc ${sha1.slice(0, 8)} md5 ${sha1.slice(0, 32)} sha1 ${sha1}`;
    const size = 1_000_000 + Math.floor(random() * 1e9);
    return (
      `game (\n\tname "${name}"\n\tregion "${region}"\n\tserial "${serial}"\n` +
      `\trom ( name "${name}.iso" size ${size} ${hashes} serial "${serial}" )\n)\n`
    );
  });
  if (shuffled) shuffle(games, random);
  yield* games;
}

/** Fisher-Yates shuffle. */
function shuffle(items: string[], random: () => number): void {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] ?? '', items[i] ?? ''];
  }
}

const regions = ['Japan', 'USA', 'Europe', 'Korea', 'Asia', 'Germany', 'France', 'World'];
const vocabulary = vocabularyOf(5_000, createRandom(0));

/** Generates words of two or three syllables. Adjacent letters vary as much as in real words. */
function vocabularyOf(size: number, random: () => number): string[] {
  const letter = (letters: string) => letters.charAt(Math.floor(random() * letters.length));
  const syllable = () =>
    letter('bcdfghjklmnprstvwyz') + letter('aeiouy') + letter('nrslmt             ').trim();
  return Array.from({ length: size }, () => {
    const word = syllable() + syllable() + (random() < 0.5 ? syllable() : '');
    return word.charAt(0).toUpperCase() + word.slice(1);
  });
}

/** Generates a title of two to four words. Some words occur much more often than others. */
function titleOf(random: () => number): string {
  const words = Array.from({ length: 2 + Math.floor(random() * 3) }, () => {
    return vocabulary[Math.floor(random() ** 3 * vocabulary.length)];
  });
  return words.join(' ');
}

/**
 * Returns a pseudorandom generator of numbers from 0 to 1 (mulberry32). The same seed always yields
 * the same numbers.
 */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
