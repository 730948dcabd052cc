import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { notingQueries } from './query-plans.ts';
import { testFolder } from './sqlite/sqlite-fixture.ts';

const folder = testFolder();
const filters = [
  {},
  { system: 'games' },
  { region: 'Japan' },
  { platform: 'x', region: 'USA' },
  { platform: 'x|y', region: 'USA|Japan' },
];

test.each(filters)('counts under %j by exact values without reading releases', async (filter) => {
  const { engine, plans } = notingQueries(await folder.openNew());
  const records = new SqlReleaseRecords({ engine, clock: systemClock });
  const compiled = (await plans()).length; // the query was compiled but not executed
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
