import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { UniqueViolation } from '../../../src/sql/engine/unique-violation.ts';
import { testEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';

const add = (key: string) => sql`INSERT INTO platform (key, name) VALUES (${key}, ${key})`;
const keys = sql<{ key: string }>`SELECT key FROM platform ORDER BY key`;

describe('several statements in one call', () => {
  testEngines('$name: run in order, each with its result', async ({ open }) => {
    const engine = await useEngine(open);
    const results = await engine.write((trx) =>
      trx.runAll([add('a'), keys, add('b'), sql`DELETE FROM platform`, keys]),
    );
    expect(results.map(({ rows }) => rows)).toEqual([[], [{ key: 'a' }], [], [], []]);
    expect(results[3]?.numAffectedRows).toBe(2n);
    expect(await engine.read.runAll([])).toEqual([]);
    expect(await engine.read.runAll([keys, keys])).toMatchObject([{ rows: [] }, { rows: [] }]);
  });

  testEngines('$name: stop at the first that fails, and are undone', async ({ open }) => {
    const engine = await useEngine(open);
    const failing = engine.write(async (trx) => {
      await trx.runAll([add('a'), add('a'), sql`SELECT missing FROM platform`]);
    });
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
    expect((await keys.execute(engine.read)).rows).toEqual([]);
  });
});
