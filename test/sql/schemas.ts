import Database from 'better-sqlite3';
import pg from 'pg';

/** A description of a database schema as sorted lines. Both engines must produce the same lines. */
export type Schema = readonly string[];

/** Queries that describe each table, by the kind of description. */
type Queries = Record<'columns' | 'keys' | 'references', string>;

/** Returns the type that both engines share. SQLite has no booleans and only one integer type. */
const plainType = (type: string) => (type === 'text' ? 'text' : 'number');
const plainValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

interface ColumnRow {
  of: string;
  name: string;
  type: string;
  nullable: boolean | number;
  given: boolean | number;
}
interface KeyRow {
  of: string;
  columns: string;
}
interface ReferenceRow extends KeyRow {
  target: string;
  action: string;
}
interface Rows {
  columns: ColumnRow[];
  keys: KeyRow[];
  references: ReferenceRow[];
  contents: { of: string; rows: object[] }[];
}

/** Selects SQLite's tables and views, without internal tables. */
const sqliteTables = `SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
/**
 * SQL condition: true if a column is the row ID of its table. The list of indexes does not contain
 * the row ID.
 */
const isRowId = `own.pk = 1 AND own.type = 'INTEGER'
  AND (SELECT max(pk) FROM pragma_table_info(tables.name)) = 1`;
/**
 * SQL condition: true if the ID is generated intentionally. SQLite also generates the ID of
 * `verification`, which is not needed.
 */
const isOwnId = `own.name = 'id' AND tables.name <> 'verification'`;
const sqliteQueries: Queries = {
  columns: `SELECT tables.name AS "of", own.name, lower(own.type) AS type, NOT (own."notnull" OR own.pk) AS nullable,
      own.dflt_value IS NOT NULL OR (${isRowId} AND ${isOwnId}) AS given
    FROM (${sqliteTables}) AS tables JOIN pragma_table_info(tables.name) AS own WHERE tables.type = 'table'`,
  keys: `SELECT tables.name AS "of", group_concat(column.name) AS columns
    FROM (${sqliteTables}) AS tables JOIN pragma_index_list(tables.name) AS list
    JOIN pragma_index_info(list.name) AS column WHERE list."unique" GROUP BY tables.name, list.name
    UNION ALL SELECT tables.name, own.name
    FROM (${sqliteTables}) AS tables JOIN pragma_table_info(tables.name) AS own WHERE ${isRowId}`,
  references: `SELECT tables.name AS "of", own."from" AS columns, own."table" AS target, lower(own.on_delete) AS action
    FROM (${sqliteTables}) AS tables JOIN pragma_foreign_key_list(tables.name) AS own`,
};

export function sqliteSchema(file: string): Schema {
  const db = new Database(file, { readonly: true });
  const all = <R>(query: string) => db.prepare<[], R>(query).all();
  try {
    return sentences({
      columns: all(sqliteQueries.columns),
      keys: all(sqliteQueries.keys),
      references: all(sqliteQueries.references),
      contents: all<{ name: string }>(sqliteTables).map(({ name }) => {
        return { of: name, rows: all<object>(`SELECT * FROM "${name}"`) };
      }),
    });
  } finally {
    db.close();
  }
}

/**
 * Selects PostgreSQL's tables and views, without the tables for pending changes of a transaction.
 */
const postgresTables = `SELECT oid, relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND relname NOT LIKE 'pending\\_%'`;
/**
 * Selects the columns of an index. If the index contains the digest of a column, selects that
 * column.
 */
const keyColumns = `SELECT string_agg(regexp_replace(pg_get_indexdef(key.indexrelid, place, true),
    '^text_digest\\((\\w+)\\)$', '\\1'), ',' ORDER BY place) FROM generate_series(1, key.indnkeyatts) AS place`;
const columnsOf = (numbers: string) => `SELECT string_agg(attname, ',' ORDER BY place)
  FROM unnest(${numbers}) WITH ORDINALITY AS wanted (number, place)
  JOIN pg_attribute ON attrelid = tables.oid AND attnum = wanted.number`;
const postgresQueries: Queries = {
  columns: `SELECT tables.name AS "of", attname AS name, format_type(atttypid, NULL) AS type,
      NOT attnotnull AS nullable, atthasdef OR attidentity <> '' AS given
    FROM (${postgresTables}) AS tables JOIN pg_attribute ON attrelid = tables.oid
    JOIN pg_class ON pg_class.oid = tables.oid
    WHERE attnum > 0 AND NOT attisdropped AND attgenerated = '' AND relkind = 'r'`,
  keys: `SELECT tables.name AS "of", (${keyColumns}) AS columns
    FROM (${postgresTables}) AS tables JOIN pg_index AS key ON indrelid = tables.oid WHERE indisunique`,
  references: `SELECT tables.name AS "of", (${columnsOf('conkey')}) AS columns, confrelid::regclass::text AS target,
      CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE 'no action' END AS action
    FROM (${postgresTables}) AS tables JOIN pg_constraint ON conrelid = tables.oid WHERE contype = 'f'`,
};

export async function postgresSchema(databaseUrl: string): Promise<Schema> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const all = async <R>(query: string) => (await client.query(query)).rows as R[];
  try {
    const contents: Rows['contents'] = [];
    for (const { name } of await all<{ name: string }>(postgresTables)) {
      contents.push({ of: name, rows: await all(`SELECT * FROM "${name}"`) });
    }
    return sentences({
      columns: await all(postgresQueries.columns),
      keys: await all(postgresQueries.keys),
      references: await all(postgresQueries.references),
      contents,
    });
  } finally {
    await client.end();
  }
}

function sentences({ columns, keys, references, contents }: Rows): Schema {
  return [
    ...columns.map(({ of, name, type, nullable, given }) => {
      const may = nullable ? 'may be null' : 'is never null';
      return `${of}.${name}: a ${plainType(type)} that ${may}, ${given ? 'given' : 'not given'} by itself`;
    }),
    ...keys.map(({ of, columns: key }) => `${of}: (${key}) is unique`),
    ...references.map(
      ({ of, columns: key, target, action }) =>
        `${of}: (${key}) is of ${target.replaceAll('"', '')}, ${action}`,
    ),
    ...contents.map(({ of }) => `${of}: it is there`),
    ...contents.flatMap(({ of, rows }) =>
      rows.map((row) => {
        const values = Object.entries(row).map(([name, value]) => `${name}=${plainValue(value)}`);
        return `${of}: has ${values.sort().join(' ')}`;
      }),
    ),
  ].sort();
}
