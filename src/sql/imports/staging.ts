import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { strongestKey } from '../../core/imports/dump.ts';
import type { StagedRow, Staging } from '../../core/imports/ports.ts';
import type { Sql } from '../sqlite/open.ts';
import type { Tables } from '../tables.ts';

/** Rows that wait in memory before they go to the writer thread together. */
const rowsPerFlush = 1_000;

const tables = ['stage_raw', 'stage_rom', 'stage_row', 'known'];

/**
 * The rows of one DAT in TEMP tables of the writing connection: outside the catalogue, outside its write lock, and
 * outside this process's memory.
 */
export class SqlStaging implements Staging {
  readonly #sql: Sql<Tables>;
  #raw: unknown[][] = [];
  #roms: unknown[][] = [];
  #position = 0;

  constructor(sqlDatabase: Sql<Tables>) {
    this.#sql = sqlDatabase;
  }

  async open(): Promise<void> {
    await this.#sql.stage(async (db) => {
      for (const statement of [...drops, ...creates]) await sql.raw(statement).execute(db);
    });
  }

  add(row: StagedRow): void {
    const position = this.#position;
    this.#position += 1;
    const { dump } = row;
    this.#raw.push([
      position,
      row.name,
      row.description,
      row.region,
      row.serial,
      dump.sha1,
      dump.md5,
      dump.crc,
      strongestKey(dump),
      romsDigest(row),
    ]);
    for (const [index, rom] of row.roms.entries()) {
      const { name, size, crc32, md5, sha1, serial } = rom;
      this.#roms.push([position, index, name, size ?? 0, crc32, md5, sha1, serial]);
    }
  }

  async flush(): Promise<void> {
    if (this.#raw.length >= rowsPerFlush) await this.#write();
  }

  /** Writes what waits and merges the rows of one name and dump into one. Returns how many rows were staged. */
  async finish(): Promise<number> {
    await this.#write();
    await this.#sql.stage(async (db) => {
      for (const statement of merges) await sql.raw(statement).execute(db);
    });
    return this.#position;
  }

  async close(): Promise<void> {
    await this.#sql.stage(async (db) => {
      for (const statement of drops) await sql.raw(statement).execute(db);
    });
  }

  async #write(): Promise<void> {
    const raw = this.#raw;
    const roms = this.#roms;
    this.#raw = [];
    this.#roms = [];
    await this.#sql.stage(async (_db, bulk) => {
      await bulk.run('INSERT INTO stage_raw VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', raw);
      await bulk.run('INSERT INTO stage_rom VALUES (?, ?, ?, ?, ?, ?, ?, ?)', roms);
    });
  }
}

function romsDigest(row: StagedRow): string {
  const roms = row.roms.map(({ name, size, crc32, md5, sha1, serial }) => {
    return [name, size, crc32, md5, sha1, serial];
  });
  return createHash('sha1').update(JSON.stringify(roms)).digest('base64url');
}

const drops = tables.map((table) => `DROP TABLE IF EXISTS temp.${table}`);

const rowColumns = `name TEXT NOT NULL, description TEXT NOT NULL, region TEXT NOT NULL, serial TEXT NOT NULL,
  dump_sha1 TEXT NOT NULL, dump_md5 TEXT NOT NULL, dump_crc TEXT NOT NULL, dump TEXT NOT NULL,
  roms_digest TEXT NOT NULL`;

const creates = [
  `CREATE TEMP TABLE stage_raw (position INTEGER PRIMARY KEY, ${rowColumns})`,
  `CREATE TEMP TABLE stage_rom (
    row_position INTEGER, position INTEGER, name TEXT, size INTEGER, crc32 TEXT, md5 TEXT, sha1 TEXT,
    serial TEXT, PRIMARY KEY (row_position, position)
  ) WITHOUT ROWID`,
  // release_id: the release it belongs to, once that is known. how: 'own', 'joined' or 'new'.
  `CREATE TEMP TABLE stage_row (
    position INTEGER PRIMARY KEY, ${rowColumns}, release_id INTEGER, how TEXT
  )`,
];

/** The serials of rows of one name and dump, in the file's order. */
const serialsOfPair = `(
  SELECT group_concat(serial, ', ') FROM (
    SELECT serial FROM stage_raw AS same
    WHERE same.name = stage_row.name AND same.dump = stage_row.dump AND serial <> ''
    GROUP BY serial ORDER BY min(position)
  ))`;

const serialsOfRoms = `(
  SELECT group_concat(serial, ', ') FROM (
    SELECT same_rom.serial AS serial FROM stage_raw AS same
    JOIN stage_rom AS same_rom
      ON same_rom.row_position = same.position AND same_rom.position = stage_rom.position
    WHERE (same.name, same.dump) = (
        SELECT name, dump FROM stage_raw WHERE stage_raw.position = stage_rom.row_position)
      AND same_rom.serial <> ''
    GROUP BY same_rom.serial ORDER BY min(same.position)
  ))`;

const merges = [
  'CREATE INDEX temp.stage_raw_by_pair ON stage_raw (name, dump)',
  `INSERT INTO stage_row SELECT *, NULL, NULL FROM stage_raw
    WHERE position IN (SELECT min(position) FROM stage_raw GROUP BY name, dump)`,
  `CREATE TEMP TABLE known AS SELECT min(position) AS position FROM stage_raw
    GROUP BY name, dump HAVING count(*) > 1`,
  `UPDATE stage_row SET
    serial = coalesce(${serialsOfPair}, ''),
    region = coalesce((
      SELECT region FROM stage_raw AS same
      WHERE same.name = stage_row.name AND same.dump = stage_row.dump AND region <> ''
      ORDER BY position LIMIT 1), '')
    WHERE position IN (SELECT position FROM known)`,
  `UPDATE stage_rom SET serial = coalesce(${serialsOfRoms}, '')
    WHERE row_position IN (SELECT position FROM known)`,
  'DROP TABLE known',
  'CREATE INDEX temp.stage_row_by_name ON stage_row (name)',
  'CREATE INDEX temp.stage_row_by_release ON stage_row (release_id)',
];
