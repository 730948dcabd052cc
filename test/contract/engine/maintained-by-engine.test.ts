import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';
import { addReleases, addRom } from '../suites/release-rows.ts';

const own = { ...emptyTexts, system: 'games' };

/**
 * Returns the revision numbers that increase with changes. `files` is the number of the library's
 * files.
 */
async function numbers({ read }: Engine): Promise<Record<string, number>> {
  const parts = await read.selectFrom('part_revision').selectAll().execute();
  const { number } = await read.selectFrom('library_version').selectAll().executeTakeFirstOrThrow();
  return Object.fromEntries([...parts.map((row) => [row.part, row.number]), ['files', number]]);
}

/** The counts, computed from the releases themselves. */
const counted = sql<object>`SELECT hidden, system, platform_id, region, initial, title_initial,
  count(*) AS releases FROM (
  SELECT EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= release.id) AS hidden, system,
    coalesce(platform_id, 0) AS platform_id, region, substr(name, 1, 1) AS initial,
    substr(sort_name, 1, 1) AS title_initial FROM release) AS each_release
  GROUP BY 1, 2, 3, 4, 5, 6`;

async function expectCounts({ read }: Engine): Promise<number> {
  const rows = async (query: typeof counted) =>
    (await query.execute(read)).rows
      .map((row) => JSON.stringify({ ...row, hidden: Number('hidden' in row && row.hidden) }))
      .sort();
  const now = await rows(counted);
  const maintained = sql<object>`SELECT hidden, system, platform_id, region, initial, title_initial, releases FROM release_count`;
  expect(await rows(maintained)).toEqual(now);
  return now.length;
}

describeEngines('$name: the engine', ({ open }) => {
  async function useCatalogue() {
    const engine = await useEngine(open);
    const write = <R>(work: (trx: Database) => Promise<R>) => engine.write(work);
    const ids = await addReleases(engine, [
      { name: 'Elf', platform: 'A', region: 'Japan' },
      { name: 'Echo', platform: 'A', region: 'Japan' },
      { name: '大神', platform: 'B' },
      { name: '' },
    ]);
    const [first = 0, second = 0] = ids;
    const update = (id: number, values: object) =>
      write((trx) => trx.updateTable('release').set(values).where('id', '=', id).execute());
    return { engine, write, ids, first, second, update };
  }

  test('maintains the counts of releases through every change', async () => {
    const { engine, write, first, second, update } = await useCatalogue();
    expect(await expectCounts(engine)).toBe(3);
    await update(first, { name: 'Zelda' });
    await update(second, { region: 'USA', platform_id: null, system: 'videos' });
    expect(await expectCounts(engine)).toBe(4);
    await write((trx) => trx.updateTable('release').set({ revision: 5 }).execute());
    await write((trx) => trx.deleteFrom('release').where('id', '>', second).execute());
    expect(await expectCounts(engine)).toBe(2);
    // Later changes of this transaction undo its earlier changes.
    await write(async (trx) => {
      await trx.updateTable('release').set({ name: 'x' }).execute();
      await trx.deleteFrom('release').execute();
      await trx
        .insertInto('release')
        .values({ ...own, name: 'New' })
        .execute();
      await trx.updateTable('release').set({ name: 'Newer' }).execute();
    });
    expect(await expectCounts(engine)).toBe(1);
    const failing = write(async (trx) => {
      await trx.updateTable('release').set({ name: 'x' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await expectCounts(engine)).toBe(1);
  });

  test('counts an unfinished import separately and changes no revision until it ends', async () => {
    const { engine, write, update } = await useCatalogue();
    const add = (id: number) => (trx: Database) =>
      trx
        .insertInto('release')
        .values({ ...own, id, name: `N${id}` })
        .execute();
    const claim = { first_release_id: 101, claim: 'x' };
    await write(add(102));
    await write((trx) => trx.insertInto('unfinished_import').values(claim).execute());
    await expectCounts(engine);
    const before = await numbers(engine);
    await write(add(103));
    await update(103, { name: 'Other' });
    await write((trx) => trx.deleteFrom('release').where('id', '=', 103).execute());
    await write(add(104));
    expect(await numbers(engine)).toEqual(before);
    await expectCounts(engine);
    await write(add(99));
    expect((await numbers(engine)).catalogue).not.toBe(before.catalogue);
    await write(async (trx) => {
      await add(105)(trx);
      await trx.deleteFrom('unfinished_import').execute();
      await trx.deleteFrom('release').where('id', '=', 102).execute();
      await add(106)(trx);
    });
    await expectCounts(engine);
    const { count } = await engine.read
      .selectFrom('listed_release')
      .select((is) => is.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(8);
  });

  test('counts concurrent changes in any order, without deadlocks', async () => {
    const { engine, ids } = await useCatalogue();
    const changes = Array.from({ length: 60 }, (_, i) =>
      engine.write(async (trx) => {
        const id = ids[i % ids.length] ?? 0;
        await trx
          .selectFrom('release')
          .select('id')
          .where('id', '=', id)
          .modifyEnd(trx.dialect.lockRows)
          .execute();
        const system = i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
        for (const next of [...system, ...system]) {
          await trx
            .updateTable('release')
            .set({ system: next, name: `${next}${i}` })
            .where('id', '=', id)
            .execute();
          await trx
            .updateTable('user')
            .set({ last_login_at: `${i}` })
            .execute();
        }
      }),
    );
    await Promise.all(changes);
    await expectCounts(engine);
  });

  test.each<[string, (trx: Database) => Promise<unknown>, string[]]>([
    [
      'an edit of a release',
      (trx) => trx.updateTable('release').set({ description: 'x' }).execute(),
      ['catalogue'],
    ],
    [
      'an update without a matching release',
      (trx) => trx.updateTable('release').set({ revision: 1 }).where('id', '=', 0).execute(),
      [],
    ],
    [
      'a new platform',
      (trx) => trx.insertInto('platform').values({ key: 'new', name: '' }).execute(),
      ['catalogue'],
    ],
    [
      'a new name of a platform',
      (trx) => trx.updateTable('platform').set({ name: 'x' }).execute(),
      ['catalogue'],
    ],
    [
      'a new role of a user',
      (trx) => trx.updateTable('user').set({ role: 'editor' }).execute(),
      ['accounts'],
    ],
    ['a removed user', (trx) => trx.deleteFrom('user').execute(), ['accounts']],
    [
      'a revoked token',
      (trx) => trx.updateTable('token').set({ revoked_at: 'x' }).execute(),
      ['accounts'],
    ],
    [
      'a use of a token',
      (trx) => trx.updateTable('token').set({ last_used_at: 'x' }).execute(),
      [],
    ],
    ['a removed token', (trx) => trx.deleteFrom('token').execute(), ['accounts']],
    [
      'a new size of a file',
      (trx) => trx.updateTable('library_file').set({ size: 2 }).execute(),
      ['files'],
    ],
    ['a removed file', (trx) => trx.deleteFrom('library_file').execute(), ['files']],
    [
      'a new system of a root',
      (trx) => trx.updateTable('library_root').set({ system: 'videos' }).execute(),
      ['files'],
    ],
    [
      'a scan of a root',
      (trx) => trx.updateTable('library_root').set({ scanned_at: 'x' }).execute(),
      [],
    ],
    ['a removed release', (trx) => trx.deleteFrom('release').execute(), ['catalogue', 'files']],
  ])('changes only the affected revisions after %s', async (_name, work, moved) => {
    const { engine, write, first } = await useCatalogue();
    await addUserAndFile(engine, first);
    const before = await numbers(engine);
    await write(work);
    const after = await numbers(engine);
    expect(
      Object.keys(after)
        .filter((part) => after[part] !== before[part])
        .sort(),
    ).toEqual(moved);
  });

  test('makes a file of a deleted release unknown, with the system of its root', async () => {
    const { engine, write, first } = await useCatalogue();
    await addUserAndFile(engine, first);
    const file = () =>
      engine.read
        .selectFrom('library_file')
        .select(['release_id', 'state', 'system'])
        .executeTakeFirstOrThrow();
    const toVideos = (trx: Database) =>
      trx.updateTable('library_root').set({ system: 'videos' }).execute();
    await write(toVideos);
    expect(await file()).toEqual({ release_id: first, state: 'matched', system: 'games' });
    await write((trx) => trx.deleteFrom('release').execute());
    expect(await file()).toEqual({ release_id: null, state: 'unknown', system: 'games' });
    await write((trx) => trx.updateTable('library_root').set({ system: 'games' }).execute());
    await write(toVideos);
    expect(await file()).toMatchObject({ system: 'videos' });
  });

  test('counts downloads by day, even if they are recorded concurrently', async () => {
    const { engine } = await useCatalogue();
    const days = ['2026-01-01', '2026-01-02'];
    const adding = Array.from({ length: 20 }, (_, i) =>
      engine.write(async (trx) => {
        for (const day of i % 2 === 0 ? days : days.toReversed()) {
          const event = { user_id: null, area: 'games', name: 'x', bytes: i };
          await trx
            .insertInto('download_event')
            .values({ ...event, created_at: `${day}T00:00:00Z` })
            .execute();
        }
      }),
    );
    await Promise.all(adding);
    expect(
      await engine.read.selectFrom('download_day').selectAll().orderBy('day').execute(),
    ).toEqual(days.map((day) => ({ day, count: 20, bytes: 190 })));
  });

  test('deletes the hashes of a deleted ROM and no other hashes', async () => {
    const { engine, write, first, second } = await useCatalogue();
    const rom = { size: 5, crc32: '0000000a', md5: 'm', sha1: 's' };
    await addRom(engine, first, rom);
    await addRom(engine, second, rom);
    await write((trx) => trx.deleteFrom('rom').where('release_id', '=', first).execute());
    const left = await engine.read.selectFrom('rom_hash').selectAll().orderBy('hash').execute();
    expect(left).toEqual(['0000000a:5', 'm', 's'].map((hash) => ({ hash, release_id: second })));
  });

  test('never reuses a release id, whether generated or given', async () => {
    const { write } = await useCatalogue();
    const add = (values: { id?: number }) =>
      write((trx) =>
        trx
          .insertInto('release')
          .values({ ...own, name: 'x', ...values })
          .returning('id')
          .executeTakeFirstOrThrow(),
      );
    expect((await add({ id: 1_000 })).id).toBe(1_000);
    expect((await add({ id: 500 })).id).toBe(500);
    await write((trx) => trx.deleteFrom('release').execute());
    expect((await add({})).id).toBe(1_001);
  });
});

async function addUserAndFile(engine: Engine, release_id: number): Promise<void> {
  await engine.write(async (trx) => {
    const { id: user_id } = await trx
      .insertInto('user')
      .values({
        username: 'u',
        password_hash: '',
        role: 'user',
        is_active: true,
        created_at: '',
        last_login_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = { user_id, hash: 'h', label: '', kind: 'api', created_at: '' } as const;
    const times = { last_used_at: null, expires_at: null, revoked_at: null };
    await trx
      .insertInto('token')
      .values({ ...token, ...times })
      .execute();
    const { id: root_id } = await trx
      .insertInto('library_root')
      .values({ path: '/games', system: 'games', scanned_at: null, problem: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, evidence, system,
        release_id, method, state)
      VALUES (${root_id}, '/games/a', 'a', 1, 1, 1, '{}', '{}', 'games', ${release_id}, 'sha1', 'matched')`.execute(
      trx,
    );
  });
}
