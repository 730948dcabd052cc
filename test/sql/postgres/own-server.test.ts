/** @module-tag full */
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../src/sql/engine/open.ts';
import { createStaging } from '../../support/data/create-staging.ts';
import { makeServer, installation as ownInstallation } from '../../support/postgres/own-server.ts';
import { addPlatform, asClient, durationOf, isBusy, keys, staged, values } from './test-queries.ts';

describe.skipIf(ownInstallation === undefined)('staging tables on PostgreSQL', () => {
  test('are planned by their content when they are new, filled and emptied', async () => {
    const server = await makeServer();
    onTestFinished(() => server.remove());
    const engine = await openPostgres(server.databaseUrl);
    onTestFinished(() => engine.close());
    await engine.stage(async (db, bulk) => {
      const planned = async () => {
        const { rows } = await sql<Record<string, string>>`EXPLAIN SELECT * FROM staged`.execute(
          db,
        );
        return Number(/rows=(\d+)/.exec(rows[0]?.['QUERY PLAN'] ?? '')?.[1]);
      };
      const fill = (count: number) => {
        const ids = Array.from({ length: count }, (_, i) => [i]);
        return bulk.run('INSERT INTO staged (id) VALUES (?)', ids);
      };
      await createStaging(db, 'staged', staged);
      for (const times of [1, 2]) {
        // The planner must never assume that a table is empty.
        expect([times, await planned()]).toEqual([times, 1]);
        await fill(5);
        expect(await planned()).toBeLessThan(500);
        await db.deleteFrom('staged' as never).execute();
        await fill(5_000);
        expect(await planned()).toBeGreaterThan(4_000);
        await db.dialect.emptyStaging(db, ['staged']);
      }
    });
  });

  test('keep no disk pages when emptied, even if large or visible to a snapshot', async () => {
    const server = await makeServer();
    onTestFinished(() => server.remove());
    const engine = await openPostgres(server.databaseUrl);
    onTestFinished(() => engine.close());
    const numbers = { columns: { number: 'numbered', name: 'text' }, key: ['number'] } as const;
    await engine.stage(async (db, bulk) => {
      const size = async () => values(db, sql`SELECT pg_relation_size('numbers') AS value`);
      const fillAndEmpty = async (rows: number) => {
        const names = Array.from({ length: rows }, (_, i) => [`row ${i}`]);
        await bulk.run('INSERT INTO numbers (name) VALUES (?)', names);
        const [filled] = await size();
        await db.dialect.emptyStaging(db, ['numbers']);
        expect([rows, await size()]).toEqual([rows, [0]]);
        return Number(filled);
      };
      await createStaging(db, 'numbers', numbers);
      expect(await fillAndEmpty(20_000)).toBeGreaterThan(512 * 1024);
      expect(await fillAndEmpty(10)).toBeLessThan(512 * 1024);
      await bulk.run('INSERT INTO numbers (name) VALUES (?)', [['still seen']]);
      await engine.snapshot(async () => {
        await fillAndEmpty(10);
      });
    });
  });
});

describe.skipIf(ownInstallation === undefined)(
  'a PostgreSQL server that becomes unavailable',
  () => {
    test('fails queries as busy, is used again later, and is refused as a standby', async () => {
      const server = await makeServer();
      onTestFinished(() => server.remove());
      const engine = await openPostgres(server.databaseUrl);
      onTestFinished(() => engine.close());
      await engine.write((trx) => addPlatform(trx, 'before'));
      await engine.stage(async (db, bulk) => {
        await createStaging(db, 'staged', staged);
        await bulk.run('INSERT INTO staged (id) VALUES (?)', [[1]]);
      });
      await server.crash();
      const questions: (() => Promise<unknown>)[] = [
        () => keys(engine),
        () => engine.write((trx) => addPlatform(trx, 'down')),
      ];
      for (const question of questions) {
        const running = asClient(question);
        expect(await durationOf(running)).toBeLessThan(5_000);
        const unresponsive = { ...isBusy, reason: 'the database server does not respond' };
        await expect(running).rejects.toMatchObject(unresponsive);
      }
      await server.start();
      expect(await keys(engine)).toEqual(['before']);
      await engine.write((trx) => addPlatform(trx, 'after'));
      expect(await keys(engine)).toEqual(['after', 'before']);
      // A crash empties unlogged tables. The engine must not treat this as an empty staging table.
      const counting = engine.write((trx) => values(trx, sql`SELECT count(*) FROM staged`));
      await expect(counting).rejects.toMatchObject(isBusy);
      await engine.close();

      await server.crash();
      await server.makeStandby();
      await server.start();
      await expect(openPostgres(server.databaseUrl)).rejects.toThrow(
        / is a standby, which is read-only/,
      );
    }, 60_000);
  },
);
