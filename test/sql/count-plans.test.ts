import { describe, expect, test } from 'vitest';
import { readPreference } from '../../src/core/sets/preference.ts';
import { systemClock } from '../../src/core/shared/clock.ts';
import type { ReleaseRule } from '../../src/core/shared/release-rule.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { recordQueries } from './query-plans.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const filters = [
  {},
  { system: 'games' },
  { region: 'Japan' },
  { platform: 'x', region: 'USA' },
  { platform: 'x|y', region: 'USA|Japan' },
];

describe('a query of releases on SQLite', () => {
  test.each(filters)('counts under the filter %j without reading releases', async (filter) => {
    const { engine, plans } = recordQueries(await folder.openNew());
    const records = new SqlReleaseRecords({ engine, clock: systemClock });
    const compiled = (await plans()).length; // ignore queries that were only compiled
    const all = { q: '', search: '', system: '', platform: '', region: '', ...filter };
    await records.facets(all, { counting: 'without-own' });
    await records.initials(all);
    await records.initials(all, 'title');
    const found = (await plans()).slice(compiled);
    expect(found.length).toBeGreaterThan(1);
    for (const steps of found) {
      expect(steps.filter((step) => /release_by|SEARCH release USING INTEGER/.test(step))).toEqual(
        [],
      );
      expect(steps.join()).toMatch(/SEARCH release USING PRIMARY KEY \(hidden=\?/);
    }
  });

  const have = { field: 'cover', is: 'have' } as const;
  const missing = { field: 'cover', is: 'missing' } as const;
  const coverRules = [
    have,
    missing,
    { not: have },
    { any: [have, { field: 'region', is: 'USA' }] },
  ];

  test.each(coverRules as ReleaseRule[])('filters by covers in index order: %j', async (rule) => {
    const { engine, plans } = recordQueries(await folder.openNew());
    const records = new SqlReleaseRecords({ engine, clock: systemClock });
    const all = { q: '', search: '', system: '', platform: '', region: '' };
    const coveredIds = Array.from({ length: 3_000 }, (_, i) => i + 1);
    const set = { key: 'a', rule, prefer: null, viewer: 'everybody', today: '2026-11-26' } as const;
    const filter = { ...all, coveredIds, set };
    await records.list({ ...filter, limit: 50, offset: 0 });
    for await (const _ of records.stream(filter, 0));
    const prefer = readPreference({ one_per_game: true });
    await records.count({ ...filter, set: { ...set, key: 'b', prefer } });
    const found = (await plans()).map((steps) => steps.join());
    expect(found.filter((steps) => steps.includes('release_by_name')).length).toBeGreaterThan(1);
    expect(found.filter((steps) => steps.includes('release_by_group')).length).toBeGreaterThan(0);
    const lookupStep = / release USING .*json_each/;
    expect(found.filter((steps) => lookupStep.test(steps))).toEqual([]);
  });
});
