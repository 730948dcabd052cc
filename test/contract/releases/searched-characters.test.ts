import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { compareByCodePoint } from '../../../src/core/shared/text.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import type { Trigrams } from '../../../src/sql/releases/trigram-sample.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { addReleases } from '../suites/release-rows.ts';

const everything = { system: '', q: '', search: '', platform: '', region: '', offset: 0 };
const limit = 200;

/**
 * Characters for which an index may have another representation, or none. The names do not contain
 * the letters of the last row.
 */
const odd = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  ...['é', 'É', 'ß', 'ſ', 'K', 'İ', 'ı', 'Σ', 'ς', '大', '・', '\u{1F3AE}', '\u0301', '\n'],
  ...['q', 'z', 'x', 'j', 'jj', 'zx', 'qj'],
];
const common = ['a', 'B', 'c', ' ', ' ', '-', '(', ')', ','];

/**
 * Returns a pseudorandom generator of numbers below a bound. The same seed always yields the same
 * sequence.
 */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** PostgreSQL stores the control character of this text as two characters. */
const marked = 'zq\u0001- #(';

const next = numbers(31);
const one = <T>(of: readonly T[]) => of[next(of.length)] as T;
const textOf = (length: number) =>
  Array.from({ length }, () => one(next(3) === 0 ? odd : common)).join('');
const names = [
  marked,
  ...odd.map((character) => `x${character}y`),
  ...Array.from({ length: 250 }, () => textOf(4 + next(24))),
];

/**
 * Returns a part of a name: unchanged, or with changed case, a wildcard or a replaced character.
 */
function partOf(name: string): string {
  const characters = [...name];
  const length = 3 + next(8);
  const start = next(Math.max(1, characters.length - length));
  const part = characters.slice(start, start + length);
  const kind = next(5);
  if (kind === 1) return part.join('').replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (kind === 2) part[next(part.length)] = one(['%', '_']);
  if (kind === 3) part[next(part.length)] = one(odd);
  return part.join('');
}

/** Returns true if LIKE finds a part in a text. LIKE ignores case only for ASCII letters. */
function isIn(text: string, part: string): boolean {
  const small = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = small(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const like = pattern.replaceAll('%', '[^]*').replaceAll('_', '[^]');
  return new RegExp(like, 'u').test(small(text));
}

/**
 * With the shares of `byIndex`, any trigram may be the rarest one, and a search always uses the
 * index. With the other shares, a search always scans the table.
 */
const byIndex: Trigrams = {
  shares: async () => ({
    all: 1_000_000,
    of: (trigram) => (numbers(trigram.length + (trigram.codePointAt(1) ?? 0))(90) + 1) / 1_000,
    containingAll: () => 0,
    containingPrefixes: (parts) => parts.map(() => 0),
  }),
};
const byLooking: Trigrams = {
  shares: async () => ({
    all: 1,
    of: () => 1,
    containingAll: () => 1,
    containingPrefixes: (parts) => parts.map(() => 1),
  }),
};

/** Makes the planner use indexes. With so few rows, the planner would otherwise scan the table. */
async function preferIndexes(engine: Engine): Promise<void> {
  const set = `EXECUTE format('ALTER DATABASE %I SET enable_seqscan = off', current_database())`;
  await engine.write((trx) => sql.raw(`DO $$ BEGIN ${set}; END $$`).execute(trx));
}

describeEngines('$name: a search for any characters', ({ open, isFile }) => {
  async function useNames() {
    const engine = await useEngine(open);
    if (!isFile) await preferIndexes(engine);
    const ids = await addReleases(
      engine,
      names.map((name) => ({ name })),
    );
    const find = async (trigrams: Trigrams, filter: { q: string } | { search: string }) => {
      const records = new SqlReleaseRecords({ engine, clock, trigrams });
      const found = await records.list({ ...everything, ...filter, limit });
      return found.map(({ id }) => id);
    };
    return { ids, find };
  }

  test('finds by the index exactly the names that contain a given part', async () => {
    const { ids, find } = await useNames();
    const inOrder = names
      .map((name, i) => ({ name, id: ids[i] ?? 0 }))
      .sort((a, b) => compareByCodePoint(a.name, b.name) || a.id - b.id);
    const parts = [...odd.map((character) => `x${character}y`), ...names.map(partOf)];
    expect(await find(byIndex, { q: 'ZQ\u0001- #(' })).toEqual([ids[0]]);
    expect(await find(byIndex, { q: '-\u0001 #(' })).toEqual([]);
    let found = 0;
    for (const q of parts) {
      const expected = inOrder.filter(({ name }) => isIn(name, q)).map(({ id }) => id);
      expect(await find(byIndex, { q }), JSON.stringify(q)).toEqual(expected.slice(0, limit));
      found += expected.length;
    }
    expect(found).toBeGreaterThan(parts.length);
  });

  test('finds the same words by the index as by a scan', { tags: ['full'] }, async () => {
    const { find } = await useNames();
    let found = 0;
    for (const name of names) {
      const search = `${partOf(name)} ${partOf(name)}`;
      const expected = await find(byLooking, { search });
      expect(await find(byIndex, { search }), JSON.stringify(search)).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(20);
  });
});
