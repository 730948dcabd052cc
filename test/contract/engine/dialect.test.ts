import fc from 'fast-check';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { inCodePointOrder, useEngine } from '../fixtures/use-engine.ts';
import { addReleases } from '../suites/release-rows.ts';

/** Returns the values of the only column of a query. */
async function column(db: Database, query: RawBuilder<unknown>): Promise<unknown[]> {
  const { rows } = await query.execute(db);
  return rows.flatMap((row) => Object.values(row as object));
}

/**
 * Returns the regular expression that is equivalent to a LIKE pattern, for texts without capital
 * letters.
 */
function likeExpression(pattern: string): RegExp {
  const parts = [...lowerAscii(pattern)].map((character) => {
    if (character === '%') return '.*';
    return character === '_' ? '.' : `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
  return new RegExp(`^${parts.join('')}$`, 'su');
}

const lowerAscii = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Returns one aggregate value of texts. Each text has a number that defines its position in the
 * order.
 */
async function aggregate(
  { read }: Engine,
  texts: readonly string[],
  of: (text: Expression<unknown>, place: Expression<unknown>) => RawBuilder<unknown>,
): Promise<unknown> {
  const rows = texts.map(
    (text, place) => sql`SELECT CAST(${text} AS TEXT) AS t, ${sql.lit(place)} AS n`,
  );
  const none = sql`SELECT '' AS t, 0 AS n WHERE false`;
  const all = rows.length === 0 ? none : sql.join(rows.toReversed(), sql` UNION ALL `);
  const value = of(sql.ref('given.t'), sql.ref('given.n'));
  return (await column(read, sql`SELECT ${value} AS value FROM (${all}) AS given`))[0];
}

describeEngines('$name: a dialect', ({ open }) => {
  test('lowercases only ASCII letters with lower(), in columns and values', async () => {
    const { read } = await useEngine(open);
    const text = 'ABC ÄÖÉ İI ΑΒΓ';
    const given = await column(read, sql`SELECT ${read.dialect.lower(sql`${text}`)} AS lowered`);
    expect(given).toEqual(['abc ÄÖÉ İi ΑΒΓ']);
    const joined = read.dialect.lower(sql`',' || ${text}`);
    expect(await column(read, sql`SELECT ${joined} AS lowered`)).toEqual([',abc ÄÖÉ İi ΑΒΓ']);
    const stored = read.dialect.lower(sql.ref('t'));
    const query = sql`SELECT ${stored} AS lowered FROM (SELECT CAST(${text} AS TEXT) AS t) AS given`;
    expect(await column(read, query)).toEqual(['abc ÄÖÉ İi ΑΒΓ']);
  });

  describe('list()', () => {
    const addPlatforms = (engine: Engine, keys: readonly string[]) =>
      engine.write((trx) => {
        const list = trx.dialect.list(keys);
        return sql`INSERT INTO platform (key, name) SELECT value, value FROM ${list} AS list`.execute(
          trx,
        );
      });

    test('provides the rows of an INSERT, however many they are', async () => {
      const engine = await useEngine(open);
      await addPlatforms(engine, inCodePointOrder);
      await addPlatforms(engine, []);
      await addPlatforms(
        engine,
        Array.from({ length: 70_000 }, (_, i) => `key ${i}`),
      );
      const found = await column(engine.read, sql`SELECT count(*) FROM platform`);
      expect(found).toEqual([70_000 + inCodePointOrder.length]);
    });

    test('can be used with IN', async () => {
      const engine = await useEngine(open);
      const { read } = engine;
      await addPlatforms(engine, inCodePointOrder);
      const keys = (list: Expression<unknown>) =>
        column(read, sql`SELECT key FROM platform WHERE key IN ${list} ORDER BY key`);
      const some = inCodePointOrder.filter((_, index) => index % 3 === 0);
      expect(await keys(read.dialect.list([...some, 'no such key']))).toEqual(some);
      expect(await keys(read.dialect.list([]))).toEqual([]);
      const [first, second] = await column(read, sql`SELECT id FROM platform ORDER BY id`);
      const ids = [Number(first), Number(second), 2 ** 53 - 1];
      const counted = (list: Expression<unknown>) =>
        column(read, sql`SELECT count(*) FROM platform WHERE id IN ${list}`);
      expect(await counted(read.dialect.list(ids, 'integer'))).toEqual([2]);
      // @ts-expect-error: without a type, an empty list would be a list of texts
      read.dialect.list(ids);
      expect(await counted(read.dialect.list([], 'integer'))).toEqual([0]);
      const others = sql`SELECT count(*) FROM platform WHERE id NOT IN ${read.dialect.list([], 'integer')}`;
      expect(await column(read, others)).toEqual([inCodePointOrder.length]);
    });
  });

  describe('a JSON expression', () => {
    test('builds an ordered array of objects with texts, numbers and nulls', async () => {
      const engine = await useEngine(open);
      const { dialect } = engine.read;
      const texts = inCodePointOrder.toReversed();
      const json = await aggregate(engine, texts, (text, place) =>
        dialect.jsonArray(
          dialect.jsonObject({
            text,
            'a "name"': place,
            none: sql`NULL`,
            big: sql.lit(2 ** 53 - 1),
          }),
          place,
        ),
      );
      expect(JSON.parse(String(json))).toEqual(
        texts.map((text, place) => ({ text, 'a "name"': place, none: null, big: 2 ** 53 - 1 })),
      );
    });

    test('builds an empty array for no rows and arrays of plain values', async () => {
      const engine = await useEngine(open);
      const { dialect } = engine.read;
      expect(await aggregate(engine, [], (text) => dialect.jsonArray(text))).toBe('[]');
      const json = await aggregate(engine, ['b', 'a'], (text) => dialect.jsonArray(text, text));
      expect(JSON.parse(String(json))).toEqual(['a', 'b']);
    });

    test('returns an object as text', async () => {
      const { read } = await useEngine(open);
      const object = read.dialect.jsonObject({
        a: sql`'x'`,
        b: read.dialect.jsonObject({ c: sql`1` }),
      });
      const [json] = await column(read, sql`SELECT ${object}`);
      expect(JSON.parse(String(json))).toEqual({ a: 'x', b: { c: 1 } });
    });
  });

  test('joins the texts of a group in order with joinTexts(), and no texts to null', async () => {
    const engine = await useEngine(open);
    const { dialect } = engine.read;
    const joined = (
      texts: readonly string[],
      by: (text: Expression<unknown>, n: Expression<unknown>) => Expression<unknown>,
    ) =>
      aggregate(engine, texts, (text, place) => dialect.joinTexts(text, " '; ", by(text, place)));
    expect(await joined(['b', 'a', 'ä'], (_, place) => place)).toBe("b '; a '; ä");
    expect(await joined(['b', 'a', 'ä'], (text) => text)).toBe("a '; b '; ä");
    expect(await joined([], (text) => text)).toBeNull();
    expect(await joined(['one'], (text) => text)).toBe('one');
  });

  describe('matches()', () => {
    /**
     * Returns a function that lists the matching texts. The texts are stored either as names or as
     * search texts.
     */
    async function openMatching(texts: readonly string[]) {
      const engine = await useEngine(open);
      await addReleases(
        engine,
        texts.map((name) => ({ name })),
      );
      await engine.write((trx) =>
        sql`UPDATE release_text SET text = (SELECT name FROM release WHERE id = release_id)`.execute(
          trx,
        ),
      );
      return (where: 'name' | 'text', pattern: string) => {
        const condition = engine.read.dialect.matches(where, pattern);
        return column(
          engine.read,
          sql`SELECT name FROM release JOIN release_text ON release_id = release.id WHERE ${condition} ORDER BY release.id`,
        );
      };
    }

    test('treats only % and _ as wildcards and ignores the case of ASCII letters', async () => {
      const texts = [
        'Lumines',
        'a\nb',
        '大神',
        '\u{1F3AE}',
        'a\\b',
        'a\\',
        "o'neil",
        'ärger',
        'a%',
        '.',
      ];
      const matching = await openMatching(texts);
      for (const [pattern, ...expected] of [
        ['lUMINES', 'Lumines'],
        ['%min%', 'Lumines'],
        ['L_mines', 'Lumines'],
        ['Lumine'],
        ['a%b', 'a\nb', 'a\\b'],
        ['_神', '大神'],
        ['_', '\u{1F3AE}', '.'],
        ['a\\b', 'a\\b'],
        ['%\\', 'a\\'],
        ['_\\', 'a\\'],
        ['a\\%', 'a\\b', 'a\\'],
        ["%o'%", "o'neil"],
        ['Ärger'],
        ['[.]'],
        [''],
        ['%', ...texts],
      ] as const) {
        expect(await matching('name', pattern), pattern).toEqual(expected);
        expect(await matching('text', pattern), pattern).toEqual(expected);
      }
    });

    test('finds texts in which letters and punctuation are mixed', async () => {
      // `few` contains Q Z X J V K W F B. PostgreSQL's index replaces punctuation by these letters.
      // `few` does not contain G P M C H Y, which the index uses only after a K.
      const punctuation = [...` ()-,.'!&+#_[]`];
      const few = [...punctuation, ...'aqzxjvkwfb\\~É'];
      const pairs = (units: readonly string[]) => units.flatMap((a) => units.map((b) => a + b));
      const texts = [...few, ...pairs(few), ...[...'QZXJVKWFB'].map((letter) => `-${letter}- `)];
      const matching = await openMatching(texts);
      const piece = fc.string({ unit: fc.constantFrom(...few, 'A', 'J'), maxLength: 2 });
      const wildcard = fc.constantFrom('', '%', '_');
      const patterns = [
        ...[...few, ...pairs(punctuation.filter((each) => each !== '_'))].map((one) => `%${one}%`),
        ...fc.sample(
          fc.tuple(wildcard, piece, wildcard, piece, wildcard).map((parts) => parts.join('')),
          { numRuns: 100, seed: 31 },
        ),
      ];
      for (const pattern of patterns) {
        const expression = likeExpression(pattern);
        const expected = texts.filter((text) => expression.test(lowerAscii(text)));
        expect(await matching('name', pattern), pattern).toEqual(expected);
      }
    });
  });

  test('finds an exact part of a text with contains(), given a text or an expression', async () => {
    const { read } = await useEngine(open);
    const contains = async (text: string, part: string | RawBuilder<unknown>) => {
      const matches = read.dialect.contains(sql`CAST(${text} AS TEXT)`, part);
      return (await column(read, sql`SELECT CASE WHEN ${matches} THEN 1 ELSE 0 END`))[0] === 1;
    };
    expect(await contains('100% _best_', '% _')).toBe(true);
    expect(await contains('大神 \u{1F3AE}', '\u{1F3AE}')).toBe(true);
    expect(await contains('a\\b', '\\')).toBe(true);
    expect(await contains('Lumines', sql`lower('MINES')`)).toBe(true);
    expect(await contains('Lumines', 'lum')).toBe(false);
    expect(await contains('abc', 'a_c')).toBe(false);
  });

  test('finds every release that matches all patterns with candidateCondition()', async () => {
    const engine = await useEngine(open);
    const [lumines, okami, percent] = await addReleases(engine, [
      { name: 'Lumines (Japan)', serial: 'ULJS-19005' },
      { name: 'Ōkami - 大神 (Japan)' },
      { name: '100% "Pure" \\ _Best_' },
    ]);
    const hits = async (where: 'name' | 'text', patterns: string[], trigrams: string[]) => {
      const { dialect } = engine.read;
      const { condition, isExact, ids } = dialect.candidateCondition(where, { patterns, trigrams });
      const [table, id] = where === 'name' ? ['release', 'id'] : ['release_text', 'release_id'];
      const found = (which: RawBuilder<unknown>) =>
        column(engine.read, sql`SELECT ${sql.ref(id)} FROM ${sql.table(table)} WHERE ${which}`);
      const all = await found(condition);
      if (ids !== null) expect((await column(engine.read, ids)).sort()).toEqual(all.sort());
      const matches = patterns.map((pattern) => dialect.matches(where, pattern));
      const exact = await found(sql.join([condition, ...matches], sql` AND `));
      if (isExact) expect(all.sort()).toEqual(exact.sort());
      return exact.sort();
    };
    expect(await hits('name', ['%JAPAN%'], ['JAP', 'pan'])).toEqual([lumines, okami]);
    expect(await hits('name', ['%jap%', '% 大神%'], ['jap', ' 大神'])).toEqual([okami]);
    expect(await hits('name', ['%jap%zzz%'], ['jap', 'zzz'])).toEqual([]);
    expect(await hits('name', ['%00_%'], ['00%'])).toContain(percent);
    expect(await hits('name', ['%lu%mines%'], ['min', 'ine', 'nes'])).toEqual([lumines]);
    expect(await hits('name', ['%ul%min%'], ['min'])).toEqual([]);
    expect(await hits('name', ['%min%)_%'], ['min'])).toEqual([]);
    expect(await hits('name', ['%am%(japan%'], ['(ja', 'jap', 'apa', 'pan'])).toEqual([okami]);
    expect(await hits('name', ['% "pure" \\ %'], [' "p', 'e" '])).toEqual([percent]);
    expect(await hits('text', ['%js190%'], ['js1'])).toEqual([lumines]);
    expect(await hits('text', ['%okami%'], ['oka'])).toEqual([okami]);
  });

  test('finds every release with one or two characters with shortTextCandidates()', async () => {
    const engine = await useEngine(open);
    const names = [
      'Lumines',
      'Qx',
      'a',
      'ÄÜ',
      'über "x" #1',
      'Σας',
      'Game (USA) é',
      'ſK',
      '\u{1F3AE}',
    ];
    const ids = await addReleases(
      engine,
      names.map((name) => ({ name })),
    );
    const characters = [...new Set(names.flatMap((name) => [...name]))];
    const pairs = names.flatMap((name) =>
      [...name].slice(1).map((second, i) => [...name][i] + second),
    );
    const { dialect } = engine.read;
    for (const text of [...characters, ...pairs].flatMap((text) => [text, text.toLowerCase()])) {
      for (const where of ['name', 'text'] as const) {
        const hits = dialect.shortTextCandidates(where, text);
        if (hits === null) continue;
        const [table, id] = where === 'name' ? ['release', 'id'] : ['release_text', 'release_id'];
        const matching = sql`SELECT ${sql.ref(id)} FROM ${sql.table(table)}
          WHERE ${dialect.matches(where, `%${text}%`)}`;
        const found = await column(engine.read, hits);
        expect(found, text).toEqual([...new Set(found)]);
        expect(found, text).toEqual(expect.arrayContaining(await column(engine.read, matching)));
      }
    }
    const few = dialect.shortTextCandidates('name', 'qX');
    if (few !== null) expect(await column(engine.read, few)).toEqual([ids[1]]);
    expect(dialect.shortTextCandidates('name', 'abc')).toBeNull();
    expect(dialect.shortTextCandidates('name', '')).toBeNull();
  });

  test('returns the IDs that match by name or by search text with searchHits()', async () => {
    const engine = await useEngine(open);
    const [lumines, okami, percent] = await addReleases(engine, [
      { name: 'Lumines (Japan)', serial: 'ULJS-19005' },
      { name: 'Ōkami - 大神 (Japan)' },
      { name: '100% Pure \\ _Best_' },
    ]);
    const hits = async (where: 'name' | 'text', pattern: string) =>
      (await column(engine.read, engine.read.dialect.searchHits(where, pattern))).sort();
    expect(await hits('name', '%(japan)%')).toEqual([lumines, okami]);
    expect(await hits('name', '%- 大神 (%')).toEqual([okami]);
    expect(await hits('name', '%ōkami%')).toEqual([]);
    expect(await hits('name', '%100%')).toEqual([percent]);
    expect(await hits('name', '%0% p_re%')).toEqual([percent]);
    expect(await hits('name', '%ure \\ _%')).toEqual([percent]);
    expect(await hits('name', '%uljs%')).toEqual([]);
    expect(await hits('text', '%uljs19005%')).toEqual([lumines]);
    expect(await hits('text', '%okami%')).toEqual([okami]);
    await engine.write(async (trx) => {
      await trx
        .updateTable('release')
        .set({ name: 'Renamed' })
        .where('id', '=', okami ?? 0)
        .execute();
      await trx
        .deleteFrom('release')
        .where('id', '=', lumines ?? 0)
        .execute();
    });
    expect(await hits('name', '%japan%')).toEqual([]);
    expect(await hits('name', '%renamed%')).toEqual([okami]);
    expect(await hits('text', '%uljs%')).toEqual([]);
  });

  test('returns an ID above all used ones with nextId(), even after deletions', async () => {
    const engine = await useEngine(open);
    const next = async () => {
      const id = engine.read.dialect.nextId('release');
      return Number((await column(engine.read, sql`SELECT ${id} AS id`))[0]);
    };
    const first = await next();
    const [a, b] = await addReleases(engine, [{ name: 'a' }, { name: 'b' }]);
    expect(a).toBe(first);
    expect(await next()).toBe(Number(b) + 1);
    await engine.write((trx) => trx.deleteFrom('release').execute());
    expect(await next()).toBe(Number(b) + 1);
    await engine.write((trx) =>
      sql`INSERT INTO release (id, system, name, region, serial, description)
        SELECT ${trx.dialect.nextId('release')}, '', 'by hand', '', '', ''`.execute(trx),
    );
    expect(await next()).toBe(Number(b) + 2);
  });

  test('returns only matching rows with joinInOrder, like an inner join', async () => {
    const engine = await useEngine(open);
    await addReleases(engine, [{ name: 'a', platform: 'p' }, { name: 'b' }]);
    const { joinInOrder } = engine.read.dialect;
    const joined = sql`SELECT release.name FROM platform ${joinInOrder} release
      ON release.platform_id = platform.id`;
    expect(await column(engine.read, joined)).toEqual(['a']);
  });

  test('prevents changes of read rows with lockRows until the transaction ends', async () => {
    const engine = await useEngine(open);
    const [id] = await addReleases(engine, [{ name: '' }]);
    const append = (letter: string) =>
      engine.write(async (trx) => {
        const { name } = await trx
          .selectFrom('release')
          .select('name')
          .where('id', '=', id ?? 0)
          .orderBy('id')
          .modifyEnd(trx.dialect.lockRows)
          .executeTakeFirstOrThrow();
        await new Promise((resolve) => setTimeout(resolve, 5));
        await trx
          .updateTable('release')
          .set({ name: name + letter })
          .execute();
      });
    await Promise.all([...'abcdefgh'].map(append));
    const names = await column(engine.read, sql`SELECT name FROM release`);
    expect([...String(names[0])].sort().join('')).toBe('abcdefgh');
  });

  test('reports with stateOf() whether a transaction was committed', async ({ skip }) => {
    const engine = await useEngine(open);
    const { read } = engine;
    const { transactions } = read.dialect;
    if (transactions === null) return skip('skipped: SQLite keeps no states of transactions');
    const stateOf = async (id: string) =>
      (await column(read, sql`SELECT ${transactions.stateOf(id)} AS state`))[0];
    const ids: string[] = [];
    const begin = async (trx: Database) => {
      const [id] = await column(trx, sql`SELECT ${transactions.currentId} AS id`);
      ids.push(String(id));
      return stateOf(String(id));
    };
    expect(await engine.write(begin)).toBe('in progress');
    const failed = engine.write(async (trx) => {
      await begin(trx);
      throw new Error('undone');
    });
    await expect(failed).rejects.toThrow('undone');
    expect(await Promise.all(ids.map(stateOf))).toEqual(['committed', 'aborted']);
    await expect(stateOf(String(2n ** 60n + 1_000n))).rejects.toThrow('in the future');
  });
});
