/** @module-tag full */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openPostgres } from '../../../src/sql/engine/open.ts';
import { PartRevisions } from '../../../src/sql/engine/part-revisions.ts';
import { createStaging } from '../../support/data/create-staging.ts';
import { freeze } from '../../support/freeze.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { makeProxy } from '../../support/postgres/cutting-proxy.ts';
import { type Installation, installations } from '../../support/postgres/installations.ts';
import { type Server, serverOf } from '../../support/postgres/server.ts';
import { addPlatform, asClient, durationOf, isBusy, keys, staged, values } from './test-queries.ts';

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'the engine on PostgreSQL $version',
  (tested) => {
    let server: Server;
    let admin: pg.Client;
    beforeAll(async () => {
      server = await serverOf(tested);
      admin = new pg.Client(server.urlOf('postgres'));
      await admin.connect();
      return () => admin.end();
    });

    const open = async (databaseUrl: string): Promise<Engine> => {
      const engine = await openPostgres(databaseUrl);
      onTestFinished(() => engine.close());
      return engine;
    };
    const clone = async (installation: Installation = tested) => {
      const { databaseUrl, drop } = await makeClone(installation);
      onTestFinished(drop);
      return databaseUrl;
    };
    let made = 0;
    const makeEmpty = async (options = '') => {
      made += 1;
      const name = `empty_${process.pid}_${made}`;
      await admin.query(`CREATE DATABASE ${name} ${options}`);
      onTestFinished(async () => {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      });
      return server.urlOf(name);
    };
    /** Returns the processes of the sessions, or of those that wait for events of a type. */
    const sessionsOf = async (databaseUrl: string, waitType?: string): Promise<number[]> => {
      const waits = '($2::text IS NULL OR wait_event_type = $2)';
      const { rows } = await admin.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND ${waits}`,
        [new URL(databaseUrl).pathname.slice(1), waitType],
      );
      return rows.map(({ pid }) => pid);
    };

    test('fails queries of hanging sessions in 5 seconds, and opens new sessions', async () => {
      const databaseUrl = await clone();
      const engine = await open(databaseUrl);
      const startQueries = () => [
        asClient(() => keys(engine)),
        asClient(() => values(engine.longRead, sql`SELECT count(*) FROM release`)),
        asClient(() => engine.write((trx) => addPlatform(trx, `${performance.now()}`))),
      ];
      // Queries that run one after another may share a session, and a session that is opened later
      // would not be frozen. Hold all queries until each has a session.
      const lock = new pg.Client(databaseUrl);
      await lock.connect();
      onTestFinished(() => lock.end());
      await lock.query('BEGIN; LOCK TABLE platform, release');
      const held = startQueries();
      const areHeld = async () => expect(await sessionsOf(databaseUrl, 'Lock')).toHaveLength(3);
      await vi.waitFor(areHeld, pollOptions);
      await lock.query('COMMIT');
      await Promise.all([...held, lock.end()]);
      await expect.poll(async () => (await sessionsOf(databaseUrl)).length).toBe(3);
      const frozen = await sessionsOf(databaseUrl);
      onTestFinished(() => {
        for (const pid of frozen) process.kill(pid, 'SIGCONT');
      });
      await freeze(...frozen);
      const hanging = startQueries();
      expect(await durationOf(Promise.allSettled(hanging))).toBeLessThan(5_000);
      for (const one of await Promise.allSettled(hanging))
        expect(one).toMatchObject({ reason: isBusy });
      await Promise.all(startQueries());
      expect((await keys(engine)).length).toBe(2);
      for (let i = 0; i < 20; i += 1) await Promise.all(startQueries());
      expect((await sessionsOf(databaseUrl)).length).toBeLessThanOrEqual(frozen.length + 10);
    });

    test('fails as busy in 5 seconds if a session hangs in a write or a shared read', async () => {
      const databaseUrl = await clone();
      const engine = await open(databaseUrl);
      const revisions = new PartRevisions(engine).of('catalogue');
      const { promise: hasStarted, resolve } = Promise.withResolvers<void>();
      const writing = asClient(() =>
        engine.write(async (trx) => {
          await addPlatform(trx, 'a');
          await pause(1_500);
          resolve();
          await pause(100);
          await addPlatform(trx, 'b');
        }),
      );
      const wrote = durationOf(writing);
      await revisions.current();
      await hasStarted;
      const frozen = await sessionsOf(databaseUrl);
      onTestFinished(() => {
        for (const pid of frozen) process.kill(pid, 'SIGCONT');
      });
      await freeze(...frozen);
      const first = durationOf(revisions.current());
      await pause(1_500);
      const second = durationOf(revisions.current());
      const ms = await Promise.all([wrote, first, second]);
      for (const one of ms) expect(one).toBeLessThan(5_000);
      await expect(writing).rejects.toMatchObject(isBusy);
      await revisions.current();
    });

    test.each(['before', 'after'] as const)(
      'fails a write as busy if its connection is cut %s the server commits, and runs it once',
      async (when) => {
        const databaseUrl = new URL(await clone());
        const proxy = await makeProxy(Number(databaseUrl.port));
        onTestFinished(() => proxy.close());
        databaseUrl.port = String(proxy.port);
        const engine = await open(String(databaseUrl));
        await engine.write((trx) => addPlatform(trx, 'first'));
        proxy.cutAt('COMMIT', when);
        let runs = 0;
        const cut = engine.write(async (trx) => {
          runs += 1;
          await addPlatform(trx, 'cut');
        });
        await expect(cut).rejects.toMatchObject(isBusy);
        expect(runs).toBe(1);
        await engine.write((trx) => addPlatform(trx, 'last'));
        expect(await keys(engine)).toEqual(
          when === 'after' ? ['cut', 'first', 'last'] : ['first', 'last'],
        );
      },
    );

    test('runs one of two deadlocked transactions again', async () => {
      const engine = await open(await clone());
      const names = ['a', 'b'];
      await engine.write(async (trx) => {
        for (const name of names) await addPlatform(trx, name);
      });
      const { promise: bothHave, resolve } = Promise.withResolvers<void>();
      let holding = 0;
      let runs = 0;
      const append = (order: readonly string[], letter: string) =>
        engine.write(async (trx) => {
          runs += 1;
          for (const key of order) {
            await trx
              .updateTable('platform')
              .set({ name: sql`name || ${letter}` })
              .where('key', '=', key)
              .execute();
            holding += 1;
            if (holding === 2) resolve();
            if (runs <= 2) await bothHave;
          }
        });
      await Promise.all([append(names, 'x'), append(names.toReversed(), 'y')]);
      expect(runs).toBe(3);
      const texts = await values<string>(engine.read, sql`SELECT name FROM platform ORDER BY key`);
      expect(texts.map((text) => [...text].sort().join(''))).toEqual(['axy', 'bxy']);
    });

    test('creates a database once if several engines open it at the same time', async () => {
      const databaseUrl = await makeEmpty();
      const engines = await Promise.all(Array.from({ length: 4 }, () => open(databaseUrl)));
      for (const engine of engines) {
        expect(await values(engine.read, sql`SELECT count(*) FROM schema_version`)).toEqual([1]);
      }
    });

    test.each<[string, string, string | undefined, RegExp]>([
      [
        'a database of another program',
        '',
        'CREATE TABLE tune (name text)',
        / is a database of another program$/,
      ],
      [
        'a database of a newer program',
        '',
        'CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (9999)',
        /^the database in postgres:.* is of version 9999, this program knows up to version \d+: use a newer catalog$/,
      ],
      [
        'a database whose locale has no letters',
        `TEMPLATE template0 LC_CTYPE 'C' LC_COLLATE 'C'`,
        undefined,
        /only knows the letters A to Z: create it with LC_CTYPE/,
      ],
      [
        'a database with another encoding',
        `TEMPLATE template0 ENCODING 'SQL_ASCII' LC_CTYPE 'C' LC_COLLATE 'C'`,
        undefined,
        /has the encoding SQL_ASCII: create it with ENCODING 'UTF8'$/,
      ],
    ])('refuses in one line %s', async (_name, options, statements, message) => {
      const databaseUrl = await makeEmpty(options);
      if (statements !== undefined) {
        const client = new pg.Client(databaseUrl);
        await client.connect();
        await client.query(statements);
        await client.end();
      }
      const opening = openPostgres(databaseUrl);
      await expect(opening).rejects.toMatchObject({ kind: 'refused' });
      await expect(opening).rejects.toThrow(message);
      await expect(opening).rejects.not.toThrow('\n');
      await expect(opening).rejects.not.toThrow(new URL(databaseUrl).password);
    });

    test('refuses an unreachable database in one line, without the password', async () => {
      const databaseUrl = new URL(server.urlOf('no_such_database'));
      const { password } = databaseUrl;
      for (const change of [
        {},
        { password: 'wrong' },
        { port: '1' },
        { hostname: 'no.such.host.invalid' },
      ]) {
        const opening = openPostgres(String(Object.assign(new URL(databaseUrl), change)));
        await expect(opening).rejects.toMatchObject({ kind: 'refused' });
        await expect(opening).rejects.toThrow(
          /^cannot (reach|open) the database postgres:\/\/[\w.]+:\d+\/no_such/,
        );
        await expect(opening).rejects.not.toThrow(password);
      }
    });

    test('drops its staging tables when it closes, even if its sessions were killed', async () => {
      const databaseUrl = await clone();
      const schemas = async (engine: Engine) =>
        (
          await values(
            engine.read,
            sql`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'catalog%' ORDER BY 1`,
          )
        ).length;
      const use = async (engine: Engine) => {
        await engine.stage((db) => createStaging(db, 'staged', staged));
      };
      const gone = await openPostgres(databaseUrl);
      await use(gone);
      const first = await open(databaseUrl);
      await use(first);
      expect(await schemas(first)).toBe(2);
      for (const pid of await sessionsOf(databaseUrl))
        await admin.query('SELECT pg_terminate_backend($1)', [pid]);
      await expect.poll(async () => (await sessionsOf(databaseUrl)).length).toBe(0);
      const second = await open(databaseUrl);
      await use(second);
      expect(await schemas(second)).toBe(1);
      await gone.close();
      // The engine has lost its staged rows and starts again.
      await use(first);
      expect(await schemas(second)).toBe(2);
      await first.close();
      expect(await schemas(second)).toBe(1);
    });

    describe('values of queries', () => {
      test('can be long texts, and texts with any character', async () => {
        const { read } = await open(await clone());
        const texts = [
          '\0',
          'a\0b',
          '\uFFFF',
          '\uFFFF0',
          '\0\uFFFF\0',
          '\\0',
          '"{,}\\"',
          'x'.repeat(2 ** 20),
        ];
        for (const text of texts) {
          expect(await values(read, sql`SELECT CAST(${text} AS text)`)).toEqual([text]);
          const object = read.dialect.jsonObject({ text: sql`CAST(${text} AS text)` });
          const [json] = await values<string>(read, sql`SELECT ${object}`);
          expect(JSON.parse(json ?? '')).toEqual({ text });
        }
        expect(
          await values(read, sql`SELECT value FROM ${read.dialect.list(texts)} AS listed`),
        ).toEqual(texts);
      });

      test('can be numbers beyond the range of columns, which match no row', async () => {
        const engine = await open(await clone());
        await engine.write((trx) => addPlatform(trx, 'a'));
        for (const id of [2 ** 63, -(2 ** 70), 1e300, 2n ** 64n]) {
          const found = sql`SELECT id FROM platform WHERE id = ${id} OR ${id} = id`;
          expect(await values(engine.read, found)).toEqual([]);
        }
        const page = engine.read.selectFrom('platform').select('id').limit(1e20).offset(1e30);
        expect(await page.execute()).toEqual([]);
        const sum = sql`SELECT sum(n) FROM (VALUES (CAST(9007199254740993 AS bigint)), (0)) AS given (n)`;
        expect(await values(engine.read, sum)).toEqual([9007199254740993n]);
      });
    });

    test('ends the query of a client that has disconnected or waits too long', async () => {
      const databaseUrl = await clone();
      const engine = await open(databaseUrl);
      const controller = new AbortController();
      const client = { network: '192.0.2.1', signal: controller.signal };
      const slow = withClient(client, () => values(engine.longRead, sql`SELECT pg_sleep(60)`));
      const late = asClient(() => values(engine.longRead, sql`SELECT pg_sleep(60)`));
      setTimeout(() => controller.abort(), 100);
      await expect(slow).rejects.toMatchObject(isBusy);
      await expect(late).rejects.toMatchObject(isBusy);
      const sleeping = async () => {
        const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND query LIKE '%pg_sleep%' AND state = 'active'`;
        const { rows } = await admin.query(query, [new URL(databaseUrl).pathname.slice(1)]);
        return Number(rows[0].count);
      };
      await expect.poll(sleeping).toBe(0);
    });
  },
);
