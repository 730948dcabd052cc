/** @module-tag full */

import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kindBitsOf } from '../../../src/core/shared/names/kind-bits.ts';
import {
  isCoveredByTrigrams,
  lettersPattern,
  lettersPatternOf,
} from '../../../src/sql/postgres/letters-pattern.ts';
import {
  isOfSearchLetters,
  searchLetters,
} from '../../../src/sql/postgres/migrations/0031-search-letters.ts';
import { openCurrent } from '../../../src/sql/postgres/open-current.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { installations } from '../../support/postgres/installations.ts';

const characters = Array.from({ length: 0x2ff }, (_, i) => String.fromCodePoint(i + 1));
const punctuation = [...` ()-,.'!&+#_[]`];

describe('the conversion to search letters', () => {
  test('builds an index pattern that keeps wildcards and only the requested trigrams', () => {
    const l = searchLetters;
    expect(lettersPattern('%A-b_c d%')).toBe(`%${l('a-b')}%${l('c d')}%`);
    const of = (pattern: string, ...trigrams: string[]) =>
      lettersPatternOf(pattern, new Set(trigrams));
    expect(of('%abcdefgh%', 'bcd')).toBe('%bcd%');
    expect(of('%abcdefgh%', 'bcd', 'cde')).toBe('%bcde%');
    expect(of('%abcdefgh%', 'fgh', 'abc')).toBe('%abc%fgh%');
    expect(of('%abcdefgh%', 'abc', 'def')).toBe('%abc%def%');
    expect(of('%abcdefgh%', 'abc', 'cde')).toBe('%abcde%');
    expect(of('%Ab Cdef%', 'b C', 'def')).toBe(`%${l('b c')}%def%`);
    expect(of('%abc%abc_abd%', 'abc')).toBe('%abc%abc%');
    expect(of('%\u{1F3AE}\u{1F3AE}ab%', '\u{1F3AE}ab')).toBe('%\u{1F3AE}ab%');
    expect(of('%ab%cd%', 'abc')).toBeNull();
  });

  test('recognises a pattern that consists of the given trigrams only', () => {
    const of = (pattern: string, ...trigrams: string[]) =>
      isCoveredByTrigrams(pattern, new Set(trigrams));
    expect(of('%abcd%', 'abc', 'bcd')).toBe(true);
    expect(of('%abcd%', 'abc')).toBe(false);
    expect(of('%abc%d %', 'abc')).toBe(true);
    expect(of('%abc_def%', 'abc', 'def')).toBe(false);
    expect(of('%ab%', 'abc')).toBe(false);
  });

  test('replaces each punctuation character by its own letters', () => {
    expect(new Set(punctuation.map(searchLetters)).size).toBe(punctuation.length);
    expect(punctuation.map(searchLetters).join('')).toMatch(/^[A-Z]+$/);
    expect(punctuation.every(isOfSearchLetters)).toBe(true);
    expect(['~', '\\', '%', '・', 'a/b'].some(isOfSearchLetters)).toBe(false);
  });
});

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'the function search_letters on PostgreSQL $version',
  (installation) => {
    async function useClone() {
      const { databaseUrl, drop } = await makeClone(installation);
      onTestFinished(drop);
      const client = new pg.Client(databaseUrl);
      await client.connect();
      onTestFinished(() => client.end());
      return { databaseUrl, client };
    }

    test('converts a text in the same way as the program', async () => {
      const { client } = await useClone();
      for (const text of [...characters, characters.join('')]) {
        const { rows } = await client.query('SELECT search_letters($1) AS letters', [text]);
        expect(rows).toEqual([{ letters: searchLetters(text) }]);
      }
    });

    test('makes trigrams of punctuation', async () => {
      const { client } = await useClone();
      const count = async (text: string) => {
        const { rows } = await client.query(
          'SELECT cardinality(show_trgm(search_letters($1))) AS c',
          [text],
        );
        return rows[0].c;
      };
      // The text is a single word. Trigrams include two spaces before the word and one after it.
      for (const character of punctuation) {
        const letters = searchLetters(character);
        expect(await count(`a${character}b`)).toBe(3 + letters.length);
      }
      expect(await count('a~b')).toBe(4); // two words of one letter: "  a", " a ", "  b", " b "
      expect(await count('ab~cd')).toBe(6);
      expect(await count('ab-cd')).toBe(6); // one word of five letters
    });

    test('is added to an older database, with letters of all rows and statistics', async () => {
      const { databaseUrl, client } = await useClone();
      await client.query(`INSERT INTO release (system, name, region, serial, description)
          SELECT 'games', 'Name - #' || i || CASE i WHEN 7 THEN ' (Demo)' ELSE '' END, '', '', '' FROM generate_series(1, 3000) AS i;
        INSERT INTO release_text (release_id, own, text) SELECT id, '', lower(name) FROM release`);
      await client.query(`DROP VIEW listed_release;
        CREATE VIEW listed_release AS
          SELECT id, platform_id, system, name, region, serial, description, revision FROM release
          WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true);
        DROP FUNCTION sort_name_of CASCADE;
        ALTER TABLE release DROP COLUMN IF EXISTS group_key, DROP COLUMN clone_group,
          DROP COLUMN edited_group, DROP COLUMN kinds;
        DROP FUNCTION IF EXISTS group_key_of;
        ALTER TABLE source_row DROP COLUMN clone_of, DROP COLUMN clone_group;
        DROP FUNCTION search_letters CASCADE;
        DROP TABLE familiar_network, metered_try;
        DROP INDEX login_try_account, audit_by_at, download_event_by_created_at;
        ALTER TABLE job DROP COLUMN attempt, DROP COLUMN attempts, DROP COLUMN run,
          DROP COLUMN host, DROP COLUMN due_at, DROP COLUMN step;
        ALTER TABLE download_event DROP COLUMN stream_key, DROP COLUMN kind CASCADE;
        DROP TABLE device, release_set, build_target;
        DROP INDEX release_meta_by_genre, release_meta_by_publisher, release_meta_by_year;
        ALTER TABLE release_count DROP COLUMN title_initial;
        ALTER TABLE pending_count DROP COLUMN title_initial;
        CREATE INDEX release_count_key ON release_count (hidden);
        CREATE INDEX release_by_platform ON release (platform_id);
        ALTER TABLE library_file DROP COLUMN added_at;
        CREATE INDEX release_name_trigrams ON release USING gin (name gin_trgm_ops);
        CREATE INDEX release_text_trigrams ON release_text USING gin (text gin_trgm_ops);
        UPDATE schema_version SET version = 30`);
      const engine = await openCurrent(databaseUrl);
      onTestFinished(() => engine.close());
      for (const [where, text] of [
        ['name', '- #77'],
        ['text', '- #78'],
      ] as const) {
        const hits = engine.read.dialect.searchHits(where, `%${text}%`);
        const { rows } = await sql`SELECT * FROM (${hits}) AS hit`.execute(engine.read);
        expect(rows).toHaveLength(11); // the number itself, and 770 to 779
        const plan = await sql<Record<string, string>>`EXPLAIN ${sql.raw(
          `SELECT FROM release${where === 'text' ? '_text' : ''}
            WHERE letters LIKE '%${searchLetters(text)}%'`,
        )}`.execute(engine.read);
        const lines = plan.rows.map((row) => Object.values(row)[0]).join('\n');
        expect(lines).toContain(`release_${where}_trigrams`);
      }
      const demos = await client.query('SELECT name, kinds::int FROM release WHERE kinds <> 0');
      expect(demos.rows).toEqual([{ name: 'Name - #7 (Demo)', kinds: kindBitsOf('A (Demo)') }]);
      const { rows } = await client.query(
        `SELECT tablename FROM pg_stats WHERE attname = 'letters'`,
      );
      expect(rows).toHaveLength(2);
    });
  },
);
