const WORDS = 521;
const SEED_WORDS = 17;
const BACK = 32;
const SECTOR = 0x8000;
const ADVANCES = 4;

export const SEED_BYTES = 4 * SEED_WORDS;

/**
 * Fills `out` with the padding of GameCube and Wii discs. A lagged Fibonacci generator produces the
 * padding from `seed`. `offset` is the offset of the padding on the disc, or in the data of a
 * partition.
 *
 * Source: dolphin-emu/dolphin `docs/WiaAndRvz.md`, "PRNG algorithm". The generator uses exclusive
 * or, with the lags 32 and 521. The generator restarts for every 32 KiB.
 */
export function writePadding(seed: Buffer, offset: number, out: Buffer): void {
  const words = new Uint32Array(WORDS);
  for (let i = 0; i < SEED_WORDS; i += 1) words[i] = seed.readUInt32BE(4 * i);
  for (let i = SEED_WORDS; i < WORDS; i += 1) {
    words[i] = (at(words, i - 17) << 23) ^ (at(words, i - 16) >>> 9) ^ at(words, i - 1);
  }
  for (let i = 0; i < ADVANCES; i += 1) advance(words);
  const bytes = Buffer.alloc(4 * WORDS);
  const skipped = offset % SECTOR;
  for (let i = 0; i < Math.floor(skipped / bytes.length); i += 1) advance(words);
  for (let done = 0, from = skipped % bytes.length; done < out.length; from = 0) {
    writeWords(words, bytes);
    done += bytes.copy(out, done, from);
    advance(words);
  }
}

function advance(words: Uint32Array): void {
  for (let i = 0; i < BACK; i += 1) words[i] = at(words, i) ^ at(words, i + WORDS - BACK);
  for (let i = BACK; i < WORDS; i += 1) words[i] = at(words, i) ^ at(words, i - BACK);
}

/**
 * Writes each word as four bytes. The second byte overlaps the first: its two highest bits repeat
 * the two lowest bits of the first byte.
 */
function writeWords(words: Uint32Array, bytes: Buffer): void {
  for (let i = 0; i < WORDS; i += 1) {
    const word = at(words, i);
    bytes[4 * i] = word >>> 24;
    bytes[4 * i + 1] = word >>> 18;
    bytes[4 * i + 2] = word >>> 8;
    bytes[4 * i + 3] = word;
  }
}

const at = (words: Uint32Array, index: number) => words[index] as number;
