import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { casesOf } from '../../../src/sql/sqlite/short-texts.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';

const title =
  'includes in casesOf the form stored in the trigram index, for each character of $count planes';
describe('the search of short texts', () => {
  // a plane of Unicode has 65,536 characters; only the first two contain letters with cases
  testSomeAndMany(title, { some: 2, many: 17 }, async (planes) => {
    const end = planes * 0x10000;
    const database = new Database(':memory:');
    database.exec(`CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'trigram', detail = 'none');
    CREATE VIRTUAL TABLE terms USING fts5vocab (texts, instance)`);
    const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
    const termsOf = database.prepare('SELECT doc, term FROM terms');
    let seen = 0;
    for (let first = 1; first < end; first += 0x8000) {
      database.transaction(() => {
        for (let code = first; code < Math.min(first + 0x8000, end); code += 1) {
          if (code < 0xd800 || code > 0xdfff) insert.run(code, `${String.fromCodePoint(code)}--`);
        }
      })();
      for (const { doc, term } of termsOf.all() as { doc: number; term: string }[]) {
        const character = String.fromCodePoint(doc);
        const [written = ''] = term;
        if (!casesOf(character).includes(written))
          expect(casesOf(character), term).toContain(written);
        seen += 1;
      }
      database.exec('DELETE FROM texts');
    }
    expect(seen).toBe(end - 1 - 0x800);
    database.close();
  });
});
