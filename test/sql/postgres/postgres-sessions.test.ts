/** @module-tag full */
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openPostgres } from '../../../src/sql/engine/open.ts';
import { createStaging } from '../../support/data/create-staging.ts';
import { freeze } from '../../support/freeze.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { installations } from '../../support/postgres/installations.ts';

const staged = { columns: { id: 'integer' }, key: ['id'] } as const;

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'the engine on PostgreSQL $version',
  (installation) => {
    let databaseUrl: string;
    let admin: pg.Client;
    beforeEach(async () => {
      const made = await makeClone(installation);
      databaseUrl = made.databaseUrl;
      admin = new pg.Client(databaseUrl);
      await admin.connect();
      return async () => {
        await admin.end();
        await made.drop();
      };
    });

    const open = async (): Promise<Engine> => {
      const engine = await openPostgres(databaseUrl);
      onTestFinished(() => engine.close());
      return engine;
    };
    const database = () => new URL(databaseUrl).pathname.slice(1);

    test('runs statements that take longer than the time limits of the database', async () => {
      const { rows } = await admin.query(
        `SELECT name FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout')`,
      );
      for (const { name } of rows) {
        await admin.query(`ALTER DATABASE ${database()} SET ${name} = '200ms'`);
      }
      const limited = new pg.Client(databaseUrl);
      await limited.connect();
      limited.on('error', () => undefined);
      await expect(limited.query('SELECT pg_sleep(0.5)')).rejects.toThrow(/timeout/);
      await limited.end();
      const engine = await open();
      const slow = sql`SELECT pg_sleep(0.5)`;
      await slow.execute(engine.read);
      await slow.execute(engine.longRead);
      await engine.write((trx) => slow.execute(trx));
      await engine.stage((db) => slow.execute(db));
      await engine.snapshot(async ({ reader }) => {
        await slow.execute(engine.read);
        await reader.count({ name: 'release', key: ['id'] });
      });
    });

    test('reports a server that accepts no further session', async () => {
      await admin.query(`ALTER DATABASE ${database()} CONNECTION LIMIT 1`);
      await expect(openPostgres(databaseUrl)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/^cannot open the database postgres:\S+: too many conn/),
      });
    });

    describe('staging tables whose schema was dropped', () => {
      const schemas = async () => {
        const { rows } = await admin.query(
          `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'catalog%'`,
        );
        return rows.map(({ name }) => String(name));
      };

      test.each([
        ['a session that has used the schema', false],
        ['a new session', true],
      ])('fail a run as busy, and exist in the next run, with %s', async (_what, isNew) => {
        const engine = await open();
        const stage = (name: string) =>
          engine.stage(async (db, bulk) => {
            await createStaging(db, name, staged);
            return bulk.run(`INSERT INTO ${name} (id) VALUES (?)`, [[1]]);
          });
        await stage('first');
        const [schema] = await schemas();
        if (isNew) {
          const sessions = `SELECT pid FROM pg_stat_activity WHERE datname = $1
            AND pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`;
          const { rows } = await admin.query(sessions, [database()]);
          for (const { pid } of rows) await admin.query('SELECT pg_terminate_backend($1)', [pid]);
          await expect
            .poll(async () => (await admin.query(sessions, [database()])).rows)
            .toEqual([]);
        }
        await admin.query(`DROP SCHEMA ${schema} CASCADE`);
        await expect(stage('second')).rejects.toMatchObject({ kind: 'busy' });
        const { rows } = await admin.query(
          `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname IN ('first', 'second')`,
        );
        expect(rows).toEqual([]);
        expect(await stage('third')).toBe(1);
        expect(await schemas()).toHaveLength(1);
      });
    });

    test('refuses a value that cannot be a parameter, and keeps its session usable', async () => {
      const engine = await open();
      const adding = engine.write((_, bulk) =>
        bulk.run('UPDATE platform SET key = ? WHERE key = ?', [['a', Symbol('b')]]),
      );
      await expect(adding).rejects.toThrow(TypeError);
      await engine.write((trx) => sql`SELECT 1`.execute(trx));
    });

    test('ends a cancelled stream of a hanging server within 5 seconds', async () => {
      const engine = await open();
      const numbers = engine.read
        .selectFrom(sql<{ n: number }>`generate_series(1, 100000)`.as('n'))
        .selectAll()
        .stream();
      let pids: number[] = [];
      try {
        const began = performance.now();
        for await (const _ of numbers) {
          const { rows } = await admin.query(
            `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND query LIKE '%generate_series%'
              AND pid <> pg_backend_pid()`,
            [database()],
          );
          pids = rows.map(({ pid }) => Number(pid));
          await freeze(...pids);
          break;
        }
        expect(pids).toHaveLength(1);
        expect(performance.now() - began).toBeLessThan(5_000);
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
    }, 15_000);

    test('streams long texts in batches of few rows', async () => {
      const engine = await open();
      const text = 'x'.repeat(400_000);
      await engine.write((trx) =>
        trx
          .insertInto('platform')
          .values(Array.from({ length: 130 }, (_, n) => ({ key: `${n}`, name: text })))
          .execute(),
      );
      const sizes: number[] = [];
      await engine.snapshot(async ({ reader }) => {
        const table = { name: 'platform', key: ['id'] } as const;
        for await (const rows of reader.rows(table, await reader.columns(table))) {
          sizes.push(rows.length);
        }
      });
      expect(Math.max(...sizes.slice(1))).toBeLessThan(5);
      expect(sizes.reduce((sum, size) => sum + size)).toBe(130);
    }, 30_000);
  },
);
