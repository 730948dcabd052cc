import { type CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/sql/engine.ts';
import { countFacets } from '../../src/sql/release-facets.ts';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import type { Tables } from '../../src/sql/tables.ts';
import { testFolder } from './sqlite-fixture.ts';

const folder = testFolder();
const filters = [{}, { system: 'games' }, { region: 'Japan' }, { system: 'x', region: 'USA' }];

test.each(filters)(
  'counting by system, platform and region under %j reads an index alone',
  async (filter) => {
    const engine = (await folder.open()) as unknown as Engine<Tables>;
    await migrate(engine, migrations);
    const asked: CompiledQuery[] = [];
    const noting = engine.read.withPlugin({
      transformQuery({ node, queryId }) {
        asked.push(engine.read.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const noted = Object.assign(noting, { dialect: engine.read.dialect }) as Engine['read'];
    const all = { q: '', search: '', system: '', platform: '', region: '' };
    await countFacets(noted, { ...all, ...filter }, 'without-own');
    expect(asked).toHaveLength(3);
    for (const query of asked) {
      const plan = sql<{ detail: string }>`EXPLAIN QUERY PLAN ${sql.raw(withValues(query))}`;
      const { rows } = await plan.execute(engine.read);
      const ofReleases = rows.filter(({ detail }) => /^(SCAN|SEARCH) release\b/.test(detail));
      expect(ofReleases).not.toEqual([]);
      for (const { detail } of ofReleases) expect(detail).toContain('COVERING INDEX');
    }
  },
);

/** A statement with its values in place of their marks. */
function withValues({ sql: text, parameters }: CompiledQuery): string {
  const values = [...parameters];
  return text.replace(/\?/g, () => `'${values.shift()}'`);
}
