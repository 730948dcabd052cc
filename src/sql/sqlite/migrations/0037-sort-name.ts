import { accents, afterNoArticle, articles } from '../../releases/sort-name.ts';

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');
const listed = quoted(articles);

const withoutAccents = [...accents].reduce(
  (inner, [accented, letter]) => `replace(${inner}, '${accented}', '${letter}')`,
  'lower(name)',
);
/** The name in lower case and without accents. Most names have ASCII characters only. */
const plain = `iif(length(name) = length(CAST(name AS BLOB)), lower(name), ${withoutAccents})`;

const firstWord = `substr(lower(name), 1, instr(name, ' ') - 1)`;
const afterFirstWord = `substr(name, instr(name, ' ') + 1, 1)`;
const comma = `instr(name, ', ')`;
const lengthAfterComma = `instr(substr(name, ${comma} + 2) || ' ', ' ') - 1`;
const wordAfterComma = `substr(lower(name), ${comma} + 2, ${lengthAfterComma})`;

/** The SQL of `sortName`. */
const sortName = `CASE
  WHEN ${firstWord} IN (${listed}) AND ${afterFirstWord} NOT IN (${quoted(afterNoArticle)})
    THEN substr(${plain}, instr(name, ' ') + 1)
  WHEN ${comma} > 0 AND ${wordAfterComma} IN (${listed})
    THEN substr(${plain}, 1, ${comma} - 1) || substr(${plain}, ${comma} + 2 + ${lengthAfterComma})
  ELSE ${plain} END`;

/**
 * Adds the text by which `order=title` sorts, and by which a search finds titles that start with
 * its words. The column is calculated from the name. The index stores it.
 */
export const sortNames = {
  name: '0037-sort-name',
  statements: [
    `ALTER TABLE release ADD COLUMN sort_name TEXT GENERATED ALWAYS AS (${sortName}) VIRTUAL`,
    'CREATE INDEX release_by_sort_name ON release (sort_name)',
    // The view of migration 0012 with the new column `sort_name`.
    'DROP VIEW listed_release',
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, sort_name FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
