/** Of each reader: a few in every test run, many with `npm run fuzz`. */
export const MUTANTS = Number(process.env.CATALOG_MUTANTS ?? 200);

/** The same numbers for the same seed, from 0 to below `most`. */
export function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** One to three changes: a byte, a bit, a run of zeros, ones or noise, a cut; half of them in the first `head` bytes. */
export function mutant(bytes: Buffer, random: (most: number) => number, head: number): Buffer {
  let changed = Buffer.from(bytes);
  for (let i = random(3); i >= 0; i -= 1) {
    const at = random(random(2) === 0 ? Math.min(head, changed.length) : changed.length);
    const kind = random(6);
    if (kind === 0) changed[at] = random(256);
    else if (kind === 1) changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    else if (kind === 2) changed.fill(0, at, Math.min(changed.length, at + random(64)));
    else if (kind === 3) changed.fill(255, at, Math.min(changed.length, at + 1 + random(8)));
    else if (kind === 4)
      for (let j = at; j < Math.min(changed.length, at + 20); j += 1) changed[j] = random(256);
    else if (random(4) === 0) changed = changed.subarray(0, at);
  }
  return changed;
}
