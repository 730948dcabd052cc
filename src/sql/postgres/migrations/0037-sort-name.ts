import { accents, afterNoArticle, articles } from '../../releases/sort-name.ts';
import { text } from './0028/texts.ts';
import { lettersColumn } from './0031-search-letters.ts';
import { startCast } from './0032-text-starts.ts';

const quoted = (texts: readonly string[]) => texts.map((each) => `'${each}'`).join(', ');
const listed = quoted(articles);

const lower = 'lower(value COLLATE "C")';
const [accented, letters] = [[...accents.keys()].join(''), [...accents.values()].join('')];
/** The name in lower case and without accents. Most names have ASCII characters only. */
const plain = `CASE WHEN octet_length(value) = char_length(value) THEN ${lower}
  ELSE translate(${lower}, '${accented}', '${letters}') END`;

const firstWord = `left(${lower}, greatest(strpos(value, ' ') - 1, 0))`;
const afterFirstWord = `substr(value, strpos(value, ' ') + 1, 1)`;
const comma = `strpos(value, ', ')`;
const lengthAfterComma = `strpos(substr(value, ${comma} + 2) || ' ', ' ') - 1`;
const wordAfterComma = `substr(${lower}, ${comma} + 2, ${lengthAfterComma})`;

/** The SQL of `sortName`. */
const sortName = `CASE
  WHEN ${firstWord} IN (${listed}) AND ${afterFirstWord} NOT IN (${quoted(afterNoArticle)})
    THEN substr(${plain}, strpos(value, ' ') + 1)
  WHEN ${comma} > 0 AND ${wordAfterComma} IN (${listed})
    THEN left(${plain}, ${comma} - 1) || substr(${plain}, ${comma} + 2 + ${lengthAfterComma})
  ELSE ${plain} END`;

/**
 * Adds the text by which `order=title` sorts, and by which a search finds titles that start with
 * its words. The server calculates the column from the name.
 */
export const sortNames = {
  version: 37,
  name: '0037-sort-name',
  statements: [
    `CREATE FUNCTION sort_name_of(value text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ${sortName}`,
    `ALTER TABLE release ADD COLUMN sort_name ${text} GENERATED ALWAYS AS (sort_name_of(name)) STORED`,
    `CREATE OR REPLACE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, ${lettersColumn}, sort_name
      FROM release
      WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true)`,
    `CREATE INDEX release_by_sort_name ON release (${startCast.join('sort_name')}, id)`,
    // A new column has no statistics for the planner until ANALYZE runs.
    'DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; END IF; END $$',
  ],
};
