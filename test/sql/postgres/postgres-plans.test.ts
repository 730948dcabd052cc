/** @module-tag full */
import { type CompiledQuery, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { sqlLibraryRecords } from '../../../src/sql/library/library-records.ts';
import { openCurrent } from '../../../src/sql/postgres/open-current.ts';
import { SqlReleaseRecords } from '../../../src/sql/releases/release-records.ts';
import { namesNear } from '../../../src/sql/store/store-records.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { installations } from '../../support/postgres/installations.ts';

const all = { system: '', q: '', search: '', platform: '', region: '', limit: 50, offset: 0 };
const nothing = { sha1: [], md5: [], images: [], size: null, serials: [], gameCode: '', names: [] };

/** Returns an engine that records its queries, and a function that returns their plans. */
function recordQueries(engine: Engine): { recording: Engine; plans(): Promise<string> } {
  const queries: CompiledQuery[] = [];
  const watch = (db: Engine['read']) => {
    const watched = db.withPlugin({
      transformQuery({ node, queryId }) {
        queries.push(db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    return Object.assign(watched, { dialect: db.dialect }) as Engine['read'];
  };
  const explained = async ({ sql: text, parameters }: CompiledQuery) => {
    const given = text.replace(/\$(\d+)/g, (_, place) => {
      const value = givenFor(parameters[Number(place) - 1]);
      return typeof value === 'number' ? `${value}` : `'${String(value).replaceAll("'", "''")}'`;
    });
    const { rows } = await sql<Record<string, string>>`${sql.raw(`EXPLAIN ${given}`)}`.execute(
      engine.read,
    );
    return rows.map((row) => Object.values(row)[0]).join('\n');
  };
  const recording = { ...engine, read: watch(engine.read), longRead: watch(engine.longRead) };
  return {
    recording,
    plans: async () => (await Promise.all(queries.map(explained))).join('\n\n'),
  };
}

/** Returns the value of a parameter for a query that is compiled once. */
function givenFor(parameter: unknown): unknown {
  if (typeof parameter !== 'object' || parameter === null || !('name' in parameter))
    return parameter;
  return { ...all, system: 'videos', id: 1 }[parameter.name as keyof typeof all];
}

async function useCatalogue(databaseUrl: string): Promise<Engine> {
  const engine = await openCurrent(databaseUrl);
  onTestFinished(() => engine.close());
  await engine.write(async (trx) => {
    await sql`INSERT INTO release (system, name, region, serial, description)
      SELECT CASE i % 2 WHEN 0 THEN 'games' ELSE 'videos' END, 'Name ' || i * 7919 % 5000, '', '', ''
      FROM generate_series(1, 5000) AS i`.execute(trx);
    await sql`INSERT INTO release_serial (release_id, source_id, serial)
      SELECT id, 0, 'S' || id FROM release`.execute(trx);
    await sql`INSERT INTO rom (release_id, position, name, size, crc32, md5, sha1, serial)
      SELECT id, 0, name || '.bin', 1, '', '', '', '' FROM release`.execute(trx);
    await sql`INSERT INTO library_root (path, system) VALUES ('/games', 'games')`.execute(trx);
    await sql`INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, evidence)
      SELECT 1, '/games/' || name || '/' || id, name, 1, 1, 1, '{}', '{}' FROM release`.execute(
      trx,
    );
    await sql`ANALYZE`.execute(trx);
  });
  return engine;
}

/** Returns true if pages of a list are read with a generic plan. */
async function isPlannedOnce(engine: Engine): Promise<boolean> {
  // With few releases, the generic plan would always be used.
  await engine.write(async (trx) => {
    await sql`INSERT INTO release (system, name, region, serial, description)
      SELECT 'games', 'Other ' || i, '', '', '' FROM generate_series(1, 40000) AS i`.execute(trx);
    await sql`ANALYZE release`.execute(trx);
  });
  const records = new SqlReleaseRecords({ engine, clock });
  for (let offset = 0; offset < 10; offset += 1) await records.list({ ...all, offset });
  const { rows } = await sql<{ plans: number }>`SELECT generic_plans AS plans
    FROM pg_prepared_statements WHERE statement LIKE 'select %"release" %offset $_%'`.execute(
    engine.read,
  );
  expect(rows).toHaveLength(1);
  return Number(rows[0]?.plans) > 0;
}

for (const installation of installations) {
  const { version, skipReason } = installation;
  describe(`the planner of PostgreSQL ${version}${skipReason === null ? '' : ` (${skipReason})`}`, () => {
    test.skipIf(skipReason !== null)('uses an index for frequent queries', async () => {
      const { databaseUrl, drop } = await makeClone(installation);
      onTestFinished(drop);
      const engine = await useCatalogue(databaseUrl);
      const find = async (readFrom: (engine: Engine) => Promise<unknown>) => {
        const { recording, plans } = recordQueries(engine);
        await readFrom(recording);
        return plans();
      };
      const list = (query: object) =>
        find((recording) =>
          new SqlReleaseRecords({ engine: recording, clock }).list({ ...all, ...query }),
        );
      const library = (
        readFrom: (records: ReturnType<typeof sqlLibraryRecords>) => Promise<unknown>,
      ) => find((recording) => readFrom(sqlLibraryRecords({ engine: recording, clock })));
      const games = { path: '/games', system: 'games' } as const;
      const plans = {
        list: await list({}),
        ofSystem: await list({ system: 'videos' }),
        newest: await list({ order: 'newest' }),
        title: await list({ order: 'title' }),
        relevance: await list({ order: 'relevance', search: 'name' }),
        near: await find((recording) => namesNear(recording.read, 'Name 77')),
        pointers: await library(({ catalogue }) =>
          catalogue.find([{ ...nothing, names: ['Name 5', 'Name 6'], serials: ['S7'] }]),
        ),
        file: await library(({ scanned }) => scanned.filesAt(games, ['/games/Name 4'])),
      };
      expect(plans.list).toContain('using release_by_name ');
      expect(plans.list).toContain('Incremental Sort');
      expect(plans.ofSystem).toContain('using release_by_system ');
      expect(plans.newest).toContain('using release_pkey ');
      expect(plans.title).toContain('using release_by_sort_name ');
      expect(plans.relevance).toContain('using release_by_sort_name ');
      expect(plans.near).toContain('using rom_by_name ');
      expect(plans.near).toContain('using release_by_name ');
      expect(plans.pointers).toContain('rom_by_name');
      expect(plans.pointers).toContain('release_serial_by_serial');
      expect(plans.file).toContain('library_file_by_path');
      // Check that the plans show a missing index.
      await engine.write((trx) => sql`DROP INDEX release_by_name`.execute(trx));
      expect(await list({})).not.toContain('Incremental Sort');
    });

    test.skipIf(skipReason !== null)(
      'uses one generic plan for the pages of the release list',
      async () => {
        const { databaseUrl, drop } = await makeClone(installation);
        onTestFinished(drop);
        expect(await isPlannedOnce(await useCatalogue(databaseUrl))).toBe(true);
      },
    );
  });
}
