/** @module-tag full */
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';
import { openPostgres } from '../../../src/sql/engine/open.ts';
import { createStaging } from '../../support/data/create-staging.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { installations } from '../../support/postgres/installations.ts';

const staged = { columns: { id: 'integer' }, key: ['id'] } as const;
const many = Array.from({ length: 20 }, (_, turn) => turn);

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

    const open = async (connections?: number): Promise<Engine> => {
      const engine = await openPostgres(
        databaseUrl,
        connections === undefined ? {} : { connections },
      );
      onTestFinished(() => engine.close());
      return engine;
    };
    const database = () => new URL(databaseUrl).pathname.slice(1);
    /** Limits the sessions of the database, apart from the one of the test. */
    const limitTo = (sessions: number) =>
      admin.query(`ALTER DATABASE ${database()} CONNECTION LIMIT ${sessions + 1}`);
    const sessions = async () => {
      const { rows } = await admin.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`,
        [database()],
      );
      return rows.map(({ pid }) => Number(pid));
    };
    const pidOf = async (db: Database) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
      return rows[0]?.pid;
    };

    test('waits for its own connections while the server accepts no more', async () => {
      const engine = await open();
      await limitTo(2);
      await Promise.all(
        many.flatMap((turn) => [
          engine.write((trx) =>
            trx
              .insertInto('platform')
              .values({ key: `${turn}`, name: 'x' })
              .execute(),
          ),
          pidOf(engine.read),
          pidOf(engine.longRead),
        ]),
      );
      const { count } = await engine.read
        .selectFrom('platform')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('name', '=', 'x')
        .executeTakeFirstOrThrow();
      expect(count).toBe(many.length);
      expect((await sessions()).length).toBeLessThanOrEqual(2);
    });

    test('waits at the start until the server accepts a connection', async () => {
      await limitTo(0);
      await expect(openPostgres(databaseUrl)).rejects.toThrow('too many connections');
      const reasons: string[] = [];
      const opening = openPostgres(databaseUrl, {
        onWait(reason) {
          reasons.push(reason);
          void limitTo(1);
        },
      });
      await (await opening).close();
      expect(reasons).toEqual(['full']);
    });

    test('closes a connection that is unused for 10 s', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const engine = await open();
      await pidOf(engine.read); // in addition to the connection that opened the database
      expect(await sessions()).toHaveLength(2);
      vi.advanceTimersByTime(6_000);
      await pidOf(engine.read);
      vi.advanceTimersByTime(6_000);
      await expect.poll(sessions).toHaveLength(1);
      vi.advanceTimersByTime(6_000);
      await expect.poll(sessions).toHaveLength(0);
    });

    test('gives its only session the settings of each purpose in turn', async () => {
      const engine = await open();
      await limitTo(1);
      const used = new Set<number | undefined>();
      for (const _ of [1, 2]) {
        used.add(await engine.write((trx) => pidOf(trx)));
        used.add(await pidOf(engine.read));
        await expect(sql`CREATE TABLE other (id integer)`.execute(engine.read)).rejects.toThrow(
          'read-only',
        );
        used.add(await pidOf(engine.longRead));
      }
      expect(used.size).toBe(1);
      expect(await sessions()).toEqual([...used]);
    });

    test('does all kinds of work at once with 3 connections, and opens no more', async () => {
      const engine = await open(3);
      const maxima: number[] = [];
      const recordSessions = async () => maxima.push((await sessions()).length);
      const stage = (name: string) =>
        engine.stage(async (db, bulk) => {
          await createStaging(db, name, staged);
          await recordSessions();
          return bulk.run(`INSERT INTO ${name} (id) VALUES (?)`, [[1]]);
        });
      const stream = async () => {
        let rows = 0;
        const numbers = engine.read
          .selectFrom(sql<{ n: number }>`generate_series(1, 2000)`.as('n'))
          .selectAll()
          .stream();
        for await (const _ of numbers) rows += 1;
        await recordSessions();
        return rows;
      };
      const snapshot = () =>
        engine.snapshot(async ({ reader }) => {
          await recordSessions();
          return reader.count({ name: 'release', key: ['id'] });
        });
      const results = await Promise.all([
        stream(),
        stage('first'),
        stage('second'),
        snapshot(),
        ...many.map(async (turn) => {
          await engine.write((trx) => pidOf(trx));
          await pidOf(turn % 2 === 0 ? engine.read : engine.longRead);
        }),
      ]);
      expect(results.slice(0, 4)).toEqual([2000, 1, 1, 0]);
      expect(Math.max(...maxima)).toBeLessThanOrEqual(3);
      expect(maxima.length).toBe(4);
    });

    test('opens a new session after the server has ended its unused sessions', async () => {
      const engine = await open(3);
      await pidOf(engine.read);
      await engine.write((trx) => pidOf(trx));
      await limitTo(2);
      for (const pid of await sessions())
        await admin.query('SELECT pg_terminate_backend($1)', [pid]);
      await expect.poll(sessions).toEqual([]);
      await engine.write((trx) => pidOf(trx));
      await pidOf(engine.longRead);
    });
  },
);
