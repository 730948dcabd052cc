import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { IdMarks } from '../../../src/core/shared/id-marks.ts';
import { testEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { addReleases } from '../suites/release-rows.ts';

describe('a search for marked IDs', () => {
  testEngines('$name: finds exactly the marked IDs among all IDs', async ({ open }) => {
    const engine = await useEngine(open);
    const rows = Array.from({ length: 40 }, (_, i) => ({ name: `${i}` }));
    const ids = await addReleases(engine, rows);
    const { read } = engine;
    const found = async (marks: IdMarks) => {
      const isMarked = read.dialect.isMarked(sql<number>`id`, marks);
      const query = sql<{ id: number }>`SELECT id FROM release WHERE ${isMarked} ORDER BY id`;
      return (await query.execute(read)).rows.map(({ id }) => id);
    };
    for (const some of [
      [],
      ids,
      ids.slice(3, 4),
      ids.slice(30),
      ids.filter((id) => id % 3 === 0),
    ]) {
      const marks = new IdMarks([some.slice(0, 2), some.slice(2)]);
      expect(await found(marks)).toEqual(some);
      expect([marks.size, marks.list()]).toEqual([some.length, some]);
    }
    expect(await found(new IdMarks([[1_000_000], [ids[5] ?? 0]]))).toEqual([ids[5]]);
  });
});
