import { describe, expect, test } from 'vitest';
import { expandRule } from '../../src/core/sets/expand-rule.ts';
import type { Rule } from '../../src/core/shared/release-rule.ts';

const set = (...ids: number[]): Rule => ({ field: 'set', in: ids });
const system = (is: string): Rule => ({ field: 'system', is });

/** Expands a rule among sets with these rules, by id. Counts the calls of `findRules`. */
async function expandAmong(rules: Readonly<Record<number, Rule>>, rule: Rule, ownId?: number) {
  let reads = 0;
  const findRules = async (ids: readonly number[]) => {
    reads += 1;
    return new Map(ids.flatMap((id) => (rules[id] === undefined ? [] : [[id, rules[id]]])));
  };
  return { expanded: await expandRule(rule, { findRules, ownId }), reads };
}

describe('expandRule', () => {
  test('replaces sets by their rules, and unknown sets by no releases', async () => {
    const rules = { 1: system('games'), 2: { not: set(1) } };
    const rule: Rule = { all: [system('videos'), set(1, 2, 9)] };
    const { expanded, reads } = await expandAmong(rules, rule);
    const parts = [system('games'), { not: { any: [system('games')] } }, { any: [] }];
    expect(expanded).toEqual({ all: [system('videos'), { any: parts }] });
    expect(reads).toBe(1);
  });

  test('reads nothing for a rule without sets', async () => {
    expect(await expandAmong({}, system('games'))).toEqual({ expanded: system('games'), reads: 0 });
  });

  test('refuses a set that contains itself, at once or through other sets', async () => {
    const refused = { kind: 'conflict', message: 'the set contains itself' };
    await expect(expandAmong({}, set(5), 5)).rejects.toMatchObject(refused);
    const rules = { 1: set(2), 2: set(3), 3: set(1) };
    await expect(expandAmong(rules, set(2), 1)).rejects.toMatchObject(refused);
    await expect(expandAmong({ 1: set(2), 2: set(2) }, set(1))).rejects.toMatchObject(refused);
  });

  test('allows chains of three sets, also several times, and refuses longer ones', async () => {
    const rules = { 1: set(2), 2: set(3), 3: system('games'), 4: set(1) };
    const { expanded } = await expandAmong(rules, { all: [set(1), set(2), set(3)] });
    expect(JSON.stringify(expanded).match(/games/g)).toHaveLength(3);
    const refused = { kind: 'conflict', message: 'sets are nested too deeply' };
    await expect(expandAmong(rules, set(4))).rejects.toMatchObject(refused);
  });

  test('refuses sets that are too large together, without expanding them all', async () => {
    const refused = { kind: 'conflict', message: expect.stringContaining('too large') };
    const many = (id: number): Rule => ({ any: Array.from({ length: 200 }, () => set(id)) });
    const rules = { 1: many(2), 2: many(3), 3: system('games') };
    await expect(expandAmong(rules, many(1))).rejects.toMatchObject(refused);
    const empty = { 1: many(2), 2: many(3), 3: { any: [] } };
    await expect(expandAmong(empty, many(1))).rejects.toMatchObject(refused);
    const ids: Rule = { field: 'release_ids', in: Array(9_000).fill(1) };
    const three: Rule = { all: [set(1), set(1), set(1)] };
    await expect(expandAmong({ 1: ids }, three)).rejects.toMatchObject(refused);
    const texts: Rule = { field: 'region', in: Array(1_000).fill('x') };
    const six: Rule = { all: Array.from({ length: 6 }, () => set(1)) };
    await expect(expandAmong({ 1: texts }, six)).rejects.toMatchObject(refused);
    const groups: Rule = { any: Array.from({ length: 200 }, () => ({ all: [] })) };
    await expect(expandAmong({ 1: groups }, six)).rejects.toMatchObject(refused);
  });

  test('expands a set once that a condition names several times', async () => {
    const texts: Rule = { field: 'region', in: Array(1_000).fill('x') };
    const { expanded } = await expandAmong({ 1: texts }, set(...Array(50).fill(1)));
    expect(expanded).toEqual({ any: [texts] });
  });

  test('limits the conditions on covers of all sets together', async () => {
    const cover: Rule = { field: 'cover', is: 'have' };
    const covers: Rule = { all: Array(10).fill(cover) };
    await expect(expandAmong({ 1: covers, 2: covers }, set(1, 2))).resolves.toBeDefined();
    const own: Rule = { any: [cover, set(1, 2)] };
    await expect(expandAmong({ 1: covers, 2: covers }, own)).rejects.toMatchObject({
      message: 'the set and the sets that it names are too large',
    });
  });
});
