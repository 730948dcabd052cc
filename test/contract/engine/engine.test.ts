import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';
import type { StagingTable } from '../../../src/sql/engine/staging-table.ts';
import { UniqueViolation } from '../../../src/sql/engine/unique-violation.ts';
import { createStaging } from '../../support/data/create-staging.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { inCodePointOrder, useEngine } from '../fixtures/use-engine.ts';

const addPlatform = (db: Database, key: string) =>
  db.insertInto('platform').values({ key, name: key }).execute();

async function platforms({ read }: Engine): Promise<string[]> {
  return (await read.selectFrom('platform').select('key').orderBy('key').execute()).map(
    ({ key }) => key,
  );
}

describeEngines('$name: an engine', ({ open, isFile }) => {
  describe('write()', () => {
    test('shows its changes to readers only after they are committed', async () => {
      const engine = await useEngine(open);
      await engine.write(async (trx) => {
        await addPlatform(trx, 'a');
        expect(await trx.selectFrom('platform').select('key').execute()).toEqual([{ key: 'a' }]);
        expect(await platforms(engine)).toEqual([]);
      });
      expect(await platforms(engine)).toEqual(['a']);
    });

    test('rolls back and rethrows when its work throws', async () => {
      const engine = await useEngine(open);
      const planted = new Error('planted');
      const failing = engine.write(async (trx) => {
        await addPlatform(trx, 'a');
        throw planted;
      });
      await expect(failing).rejects.toBe(planted);
      expect(await platforms(engine)).toEqual([]);
      await engine.write((trx) => addPlatform(trx, 'b'));
      expect(await platforms(engine)).toEqual(['b']);
    });

    test('loses no update when the rows that were read are locked', async () => {
      const engine = await useEngine(open);
      const query = (db: Database) => db.selectFrom('library_state').select('value');
      const count = (db: Database) => query(db).executeTakeFirstOrThrow();
      const lock = (trx: Database) =>
        query(trx).modifyEnd(trx.dialect.lockRows).executeTakeFirstOrThrow();
      await engine.write((trx) =>
        trx.insertInto('library_state').values({ name: 'n', value: '0' }).execute(),
      );
      const adding = Array.from({ length: 20 }, () =>
        engine.write(async (trx) => {
          const value = String(Number((await lock(trx)).value) + 1);
          await trx.updateTable('library_state').set({ value }).execute();
        }),
      );
      await Promise.all(adding);
      expect(await count(engine.read)).toEqual({ value: '20' });
    });

    test('fails as busy if it cannot begin in time, and succeeds later', async () => {
      const engine = await useEngine(open);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      // The number of writes exceeds what any engine runs concurrently.
      const holding = Array.from({ length: 20 }, () => engine.write(() => released));
      const waiting = engine.write((trx) => addPlatform(trx, 'a'), { busyMs: 50 });
      await expect(waiting).rejects.toMatchObject({ kind: 'busy', message: 'busy', retryAfter: 1 });
      expect(await platforms(engine)).toEqual([]);
      release();
      await Promise.all(holding);
      await engine.write((trx) => addPlatform(trx, 'b'), { busyMs: 1_000 });
      expect(await platforms(engine)).toEqual(['b']);
    });

    test('reports a duplicate row as a different error than other violations', async () => {
      const engine = await useEngine(open);
      await engine.write((trx) => addPlatform(trx, 'a'));
      const [{ id }] = (await engine.read.selectFrom('platform').select('id').execute()) as [
        { id: number },
      ];
      const sameKey = engine.write((trx) => addPlatform(trx, 'a'));
      await expect(sameKey).rejects.toBeInstanceOf(UniqueViolation);
      const sameId = engine.write((trx) =>
        trx.insertInto('platform').values({ id, key: 'b', name: 'b' }).execute(),
      );
      await expect(sameId).rejects.toBeInstanceOf(UniqueViolation);
      const noSuchRelease = engine.write((trx) =>
        trx
          .insertInto('release_edit')
          .values({ release_id: 7, field: 'name', edited_at: '' })
          .execute(),
      );
      await expect(noSuchRelease).rejects.not.toBeInstanceOf(UniqueViolation);
    });

    test('rejects queries after its end and nested transactions', async () => {
      const engine = await useEngine(open);
      const { late } = await engine.write(async (late) => ({ late }));
      await expect(addPlatform(late, 'a')).rejects.toThrow('has ended');
      const nested = engine.write((trx) => trx.transaction().execute(async () => {}));
      await expect(nested).rejects.toThrow();
      expect(await platforms(engine)).toEqual([]);
    });

    test('sets the database to sync every commit except parts of long work', async () => {
      const engine = await useEngine(open);
      // SQLite and PostgreSQL have different names for this setting.
      const setting = isFile ? sql`PRAGMA synchronous` : sql`SHOW synchronous_commit`;
      const settingAfterWrite = async (options?: { isPart: boolean }) => {
        const { rows } = await engine.write(async (trx) => {
          await addPlatform(trx, randomUUID());
          return setting.execute(trx);
        }, options);
        return Object.values(rows[0] ?? {})[0];
      };
      const [whole, part] = isFile ? [2, 1] : ['on', 'off'];
      expect(await settingAfterWrite()).toBe(whole);
      expect(await settingAfterWrite({ isPart: true })).toBe(part);
      expect(await settingAfterWrite()).toBe(whole);
      expect(await platforms(engine)).toHaveLength(3);
    });
  });

  describe('the connection for reading', () => {
    test('rejects writes and transactions', async () => {
      const engine = await useEngine(open);
      await expect(addPlatform(engine.read, 'a')).rejects.toThrow();
      await expect(engine.read.transaction().execute(async () => {})).rejects.toThrow();
      expect(await platforms(engine)).toEqual([]);
    });

    test('streams the rows of its start while another row is written', async () => {
      const engine = await useEngine(open);
      const keys = Array.from({ length: 3_000 }, (_, i) => String(i).padStart(4, '0'));
      const insert = 'INSERT INTO platform (key, name) VALUES (?, ?)';
      await engine.write((_, bulk) =>
        bulk.run(
          insert,
          keys.map((key) => [key, key]),
        ),
      );
      const seen: string[] = [];
      for await (const { key } of engine.read
        .selectFrom('platform')
        .select('key')
        .orderBy('key')
        .stream()) {
        seen.push(key);
        if (seen.length === 10) await engine.write((trx) => addPlatform(trx, 'later'));
      }
      expect(seen).toEqual(keys);
    });
  });

  describe('bulk.run()', () => {
    test('runs a statement for many rows and returns the number of changes', async () => {
      const engine = await useEngine(open);
      const rows = Array.from({ length: 2_500 }, (_, i) => [`k${i}`, `it's "${i}"`]);
      const run = (statement: string, params: unknown[][]) =>
        engine.write((_, bulk) => bulk.run(statement, params));
      expect(await run('INSERT INTO platform (key, name) VALUES (?, ?)', rows)).toBe(2_500);
      expect(await run('DELETE FROM platform WHERE key = ?', [['k1'], ['k2'], ['none']])).toBe(2);
      expect(await run('DELETE FROM platform WHERE key = ?', [])).toBe(0);
      expect(await platforms(engine)).toHaveLength(2_498);
    });

    test('rolls back all rows if one of them is a duplicate', async () => {
      const engine = await useEngine(open);
      const insert = 'INSERT INTO platform (key, name) VALUES (?, ?)';
      const failing = engine.write((_, bulk) =>
        bulk.run(
          insert,
          [...'abca'].map((key) => [key, key]),
        ),
      );
      await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
      expect(await platforms(engine)).toEqual([]);
    });
  });

  describe('a query result', () => {
    test('keeps every bit of an integer, and contains a number if it fits', async () => {
      const engine = await useEngine(open);
      const times = [1790000000123456789n, -9223372036854775808n, 2n ** 53n, 2 ** 53 - 1, -1, 0];
      await engine.write(async (trx) => {
        for (const [index, mtime_ns] of times.entries()) {
          const file = { area: 'games', name: String(index), size: 2 ** 53 - 1, sha256: '' };
          await trx
            .insertInto('stored_file')
            .values({ ...file, mtime_ns: BigInt(mtime_ns), written_at: '' })
            .execute();
        }
      });
      const rows = await engine.read
        .selectFrom('stored_file')
        .select(['mtime_ns', 'size'])
        .orderBy('name')
        .execute();
      expect(rows).toStrictEqual(times.map((mtime_ns) => ({ mtime_ns, size: 2 ** 53 - 1 })));
    });

    test('contains booleans for boolean columns, even from a writing statement', async () => {
      const engine = await useEngine(open);
      const values = { username: 'a', password_hash: '', role: 'user', created_at: '' } as const;
      const returned = await engine.write((trx) =>
        trx
          .insertInto('user')
          .values({ ...values, is_active: true, last_login_at: null })
          .returning(['user.is_active', 'last_login_at'])
          .executeTakeFirstOrThrow(),
      );
      expect(returned).toStrictEqual({ is_active: true, last_login_at: null });
      await engine.write((trx) => trx.updateTable('user').set({ is_active: false }).execute());
      const query = engine.read.selectFrom('user').select('is_active');
      expect(await query.where('is_active', '=', false).execute()).toStrictEqual([
        { is_active: false },
      ]);
      expect(await query.where('is_active', '=', true).execute()).toEqual([]);
    });

    test('contains texts of every kind, sorted by code point', async () => {
      const engine = await useEngine(open);
      const [empty = '', ...others] = inCodePointOrder;
      const controls = ['\0', '\0\0', '\0a', '\u0001', '\u0001\0', '\u00010', '\u0002'];
      const inOrder = [empty, ...controls, ...others];
      await engine.write((_, bulk) =>
        bulk.run(
          'INSERT INTO platform (key, name) VALUES (?, ?)',
          inOrder.toReversed().map((key) => [key, key]),
        ),
      );
      expect(await platforms(engine)).toEqual(inOrder);
      for (const [index, after] of inOrder.entries()) {
        const { rows } = await sql<{ rest: number }>`
          SELECT count(*) AS rest FROM platform WHERE key > ${after}`.execute(engine.read);
        expect(rows).toEqual([{ rest: inOrder.length - index - 1 }]);
      }
    });

    test('includes the number of changed rows', async () => {
      const engine = await useEngine(open);
      await engine.write((_, bulk) =>
        bulk.run('INSERT INTO platform (key, name) VALUES (?, ?)', [
          ['a', 'x'],
          ['b', 'x'],
        ]),
      );
      const changed = await engine.write((trx) =>
        trx.updateTable('platform').set({ name: 'y' }).where('name', '=', 'x').executeTakeFirst(),
      );
      expect(changed.numUpdatedRows).toBe(2n);
    });
  });

  describe('stage()', () => {
    const create = (db: Database) =>
      createStaging(db, 'staged', { columns: { id: 'integer', name: 'text' }, key: ['id'] });
    const insert = 'INSERT INTO staged (id, name) VALUES (?, ?)';

    test('fills tables that the next write sees, while another write runs', async () => {
      const engine = await useEngine(open);
      await engine.write((trx) => addPlatform(trx, 'before'));
      await engine.stage(async (db, bulk) => {
        await create(db);
        expect(await bulk.run(insert, [[1, 'a']])).toBe(1);
        await engine.write((trx) => addPlatform(trx, 'between'));
        await sql`INSERT INTO staged (id, name) SELECT id + 10, key FROM platform`.execute(db);
      });
      await engine.write((trx) =>
        sql`INSERT INTO platform (key, name) SELECT 'staged ' || name, name FROM staged`.execute(
          trx,
        ),
      );
      expect(await platforms(engine)).toEqual([
        'before',
        'between',
        'staged a',
        'staged before',
        'staged between',
      ]);
    });

    test('applies each bulk statement completely or not at all', async () => {
      const engine = await useEngine(open);
      await engine.stage(async (db, bulk) => {
        await create(db);
        await bulk.run(insert, [[1, 'a']]);
        const failing = bulk.run(insert, [
          [2, 'b'],
          [1, 'again'],
        ]);
        await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
        const { rows } = await sql`SELECT name FROM staged`.execute(db);
        expect(rows).toEqual([{ name: 'a' }]);
      });
    });

    test('creates a table once and restarts its numbers when it is emptied', async () => {
      const engine = await useEngine(open);
      const numbers = { columns: { number: 'numbered', name: 'text' }, key: ['number'] } as const;
      const added = 'INSERT INTO numbers (name) VALUES (?)';
      await engine.stage(async (db, bulk) => {
        const listed = async () =>
          (await sql`SELECT number, name FROM numbers ORDER BY number`.execute(db)).rows;
        await createStaging(db, 'numbers', numbers);
        await bulk.run(added, [['a'], ['b']]);
        await createStaging(db, 'numbers', numbers);
        expect(await listed()).toEqual([
          { number: 1, name: 'a' },
          { number: 2, name: 'b' },
        ]);
        await db.dialect.emptyStaging(db, ['numbers']);
        expect(await listed()).toEqual([]);
        await bulk.run(added, [['c']]);
        expect(await listed()).toEqual([{ number: 1, name: 'c' }]);
      });
    });

    test('keeps the last of many rows that replace one another', async () => {
      const engine = await useEngine(open);
      const table = { columns: { id: 'integer', key: 'text', name: 'text' }, key: ['id', 'key'] };
      await engine.stage(async (db, bulk) => {
        await createStaging(db, 'staged', table as StagingTable);
        const key = `(id, ${db.dialect.uniqueKey('key')})`;
        const insert = `INSERT INTO staged (id, key, name) VALUES (?, ?, ?) ON CONFLICT ${key} DO UPDATE SET`;
        const replace = `${insert} id = excluded.id, key = excluded.key, name = excluded.name`;
        const rows = (from: string) =>
          Array.from({ length: 60 }, (_, i) => [i % 20, 'k\0"', `${from} ${i}`]);
        await bulk.run(replace, rows('a'));
        expect(await bulk.run(replace, rows('b'))).toBe(60);
        // The second statement updates only a part of each row. The statement must not replace the
        // rows.
        await bulk.run(`${insert} key = excluded.key`, rows('c'));
        const { rows: found } = await sql`SELECT id, key, name FROM staged ORDER BY id`.execute(db);
        expect(found).toEqual(
          Array.from({ length: 20 }, (_, i) => ({ id: i, key: 'k\0"', name: `b ${40 + i}` })),
        );
      });
    });

    test('stops at the next query after an abort, and rethrows errors of its work', async () => {
      const engine = await useEngine(open);
      const abort = new AbortController();
      const reason = new Error('stopped by somebody');
      const stopped = engine.stage(async (db) => {
        await create(db);
        abort.abort(reason);
        await sql`SELECT name FROM staged`.execute(db);
      }, abort.signal);
      await expect(stopped).rejects.toBe(reason);
      const planted = new Error('planted');
      const failing = engine.stage(async () => {
        throw planted;
      });
      await expect(failing).rejects.toBe(planted);
      await engine.write((trx) => addPlatform(trx, 'after'));
    });
  });

  test('changes its commit counter only on a commit', async () => {
    const engine = await useEngine(open);
    const first = engine.commits();
    if (first === null) return expect(isFile).toBe(false); // a server's commits need a query
    await platforms(engine);
    await engine.write(async (trx) => {
      await addPlatform(trx, 'a');
      expect(engine.commits()).toBe(first);
    });
    const second = engine.commits();
    expect(second).not.toBe(first);
    await expect(
      engine.write(async (trx) => {
        await addPlatform(trx, 'b');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(engine.commits()).toBe(second);
    await engine.write((trx) => addPlatform(trx, 'c'));
    expect([first, second]).not.toContain(engine.commits());
    await engine.close();
    expect(engine.commits()).toBeNull();
  });

  test('passes its health, space and write checks', async () => {
    const engine = await useEngine(open);
    await engine.checkHealth();
    await engine.checkFreeSpace();
    await engine.checkWrites();
    expect(engine.name).not.toBe('');
  });

  test('copies itself to a private file during a write, or refuses if not a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-backup-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const engine = await useEngine(open);
    await engine.write((trx) => addPlatform(trx, 'a'));
    const file = join(folder, 'copy');
    if (!isFile) {
      const copying = engine.copy(file);
      await expect(copying).rejects.toMatchObject({ kind: 'refused' });
      await expect(copying).rejects.toThrow('its rows are what is copied');
      return expect(await readdir(folder)).toEqual([]);
    }
    await engine.write(async (trx) => {
      await addPlatform(trx, 'b');
      await engine.copy(file);
    });
    const { size, mode } = await stat(file);
    expect(size).toBeGreaterThan(0);
    expect(mode & 0o777).toBe(0o600);
    await expect(engine.copy(file)).rejects.toMatchObject({ kind: 'refused' });
    const stopped = new AbortController();
    const stopping = engine.copy(join(folder, 'stopped'), { signal: stopped.signal });
    stopped.abort(new Error('enough'));
    await expect(stopping).rejects.toThrow('enough');
    const nowhere = engine.copy(join(folder, 'missing', 'copy'));
    await expect(nowhere).rejects.toMatchObject({ kind: 'refused' });
    expect(await readdir(folder)).toEqual(['copy']);
  });

  test('completes earlier work before it closes and rejects later work', async () => {
    const { engine, close } = await open();
    const pending = [platforms(engine), engine.write((trx) => addPlatform(trx, 'a'))];
    await engine.close();
    await Promise.all(pending);
    await expect(platforms(engine)).rejects.toThrow('closed');
    await expect(engine.write(async () => {})).rejects.toThrow('closed');
    await expect(engine.stage(async () => {})).rejects.toThrow('closed');
    await close();
  });
});
