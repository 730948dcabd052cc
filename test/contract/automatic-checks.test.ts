import { describe, expect } from 'vitest';
import { sqlAutomaticChecks } from '../../src/sql/library/automatic-checks.ts';
import { testEngines } from './fixtures/engines.ts';
import { useEngine } from './fixtures/use-engine.ts';

describe('the record of the last automatic check', () => {
  testEngines(
    '$name: is shared by all instances of one name, and by no other name',
    async ({ open }) => {
      const engine = await useEngine(open);
      const one = sqlAutomaticChecks({ engine, name: 'one' });
      const same = sqlAutomaticChecks({ engine, name: 'one' });
      const other = sqlAutomaticChecks({ engine, name: 'other' });
      expect(await one.lastAt()).toBeNull();
      await one.record(1_000);
      await same.record(2_000);
      expect(await Promise.all([one, same, other].map((each) => each.lastAt()))).toEqual([
        2_000,
        2_000,
        null,
      ]);
    },
  );
});
