import { expect, test } from 'vitest';
import type { Engine } from '../../src/sql/engine.ts';
import { countFacets } from '../../src/sql/release-facets.ts';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { notingQueries } from './query-plans.ts';
import { testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const filters = [{}, { system: 'games' }, { region: 'Japan' }, { system: 'x', region: 'USA' }];

test.each(filters)(
  'counting by system, platform and region under %j reads an index alone',
  async (filter) => {
    const opened = (await folder.open()) as unknown as Engine;
    await migrate(opened, migrations);
    const { engine, plans } = notingQueries(opened);
    const all = { q: '', search: '', system: '', platform: '', region: '' };
    await countFacets(engine.read, { ...all, ...filter }, 'without-own');
    const found = await plans();
    expect(found).toHaveLength(3);
    for (const steps of found) {
      const ofReleases = steps.filter((step) => /^(SCAN|SEARCH) release\b/.test(step));
      expect(ofReleases).not.toEqual([]);
      for (const step of ofReleases) expect(step).toContain('COVERING INDEX');
    }
  },
);
