import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { strongestKey } from '../../core/imports/dump.ts';
import type { MetadataFact } from '../../core/imports/metadata.ts';
import type { StagedRow, Staging } from '../../core/imports/ports.ts';
import { searchText } from '../../core/shared/search-text.ts';
import { normaliseSerials } from '../../core/shared/serial.ts';
import type { Database, Engine } from '../engine.ts';

/** Rows that wait in memory before they go to the writer thread together. */
const rowsPerFlush = 250;

const tables = [
  'stage_raw',
  'stage_rom',
  'stage_serial',
  'stage_fact',
  'stage_row',
  'known',
  'stage_change',
  'stage_gone',
  'fact_change',
  'stage_hash',
  'affected',
  'offer',
  'fill_serial',
  'fill',
  'prune',
];

/**
 * The rows of one DAT in TEMP tables of the writing connection: outside the catalogue, outside its write lock, and
 * outside this process's memory.
 */
export class SqlStaging implements Staging {
  readonly #engine: Engine;
  readonly #signal: AbortSignal;
  #raw: unknown[][] = [];
  #roms: unknown[][] = [];
  #serials: unknown[][] = [];
  #facts: unknown[][] = [];
  #position = 0;

  constructor(engine: Engine, signal: AbortSignal) {
    this.#engine = engine;
    this.#signal = signal;
  }

  async open(): Promise<void> {
    await this.#engine.stage(async (db) => {
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
      searchText(row.name, row.serial),
    ]);
    for (const serial of normaliseSerials(row.serial)) this.#serials.push([position, serial]);
    for (const [index, rom] of row.roms.entries()) {
      const { name, size, crc32, md5, sha1, serial } = rom;
      this.#roms.push([position, index, name, size, crc32, md5, sha1, serial]);
    }
  }

  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void {
    for (const { kind, key, field, value } of facts) {
      this.#facts.push([kind, key, field, value, rowHasName ? 1 : 0]);
    }
  }

  async flush(): Promise<void> {
    if (this.#raw.length + this.#facts.length >= rowsPerFlush) await this.#write();
  }

  /** Writes what waits, and for a DAT merges the rows of one name and dump into one. */
  async finish(kind: 'dat' | 'metadata'): Promise<void> {
    await this.#write();
    const statements = kind === 'dat' ? merges : ['DELETE FROM stage_raw'];
    await this.#engine.stage(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    }, this.#signal);
  }

  async close(): Promise<void> {
    await this.#engine.stage(async (db) => {
      for (const statement of drops) await sql.raw(statement).execute(db);
    });
  }

  async #write(): Promise<void> {
    const raw = this.#raw;
    const roms = this.#roms;
    const serials = this.#serials;
    const facts = this.#facts;
    this.#raw = [];
    this.#roms = [];
    this.#serials = [];
    this.#facts = [];
    await this.#engine.stage(async (_db, bulk) => {
      await bulk.run('INSERT INTO stage_raw VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', raw);
      await bulk.run('INSERT INTO stage_rom VALUES (?, ?, ?, ?, ?, ?, ?, ?)', roms);
      await bulk.run('INSERT INTO stage_serial VALUES (?, ?)', serials);
      await bulk.run('INSERT OR REPLACE INTO stage_fact VALUES (?, ?, ?, ?, ?)', facts);
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
  roms_digest TEXT NOT NULL, search TEXT NOT NULL`;

const creates = [
  `CREATE TEMP TABLE stage_raw (position INTEGER PRIMARY KEY, ${rowColumns})`,
  `CREATE TEMP TABLE stage_rom (
    row_position INTEGER, position INTEGER, name TEXT, size INTEGER, crc32 TEXT, md5 TEXT, sha1 TEXT,
    serial TEXT, PRIMARY KEY (row_position, position)
  ) WITHOUT ROWID`,
  `CREATE TEMP TABLE stage_serial (
    row_position INTEGER, serial TEXT, PRIMARY KEY (row_position, serial)
  ) WITHOUT ROWID`,
  // Of two rows that say something else of the same key, the later one counts.
  `CREATE TEMP TABLE stage_fact (
    kind TEXT, key TEXT, field TEXT, value TEXT, row_has_name INTEGER, PRIMARY KEY (kind, key, field)
  ) WITHOUT ROWID`,
  // release_id: the release it belongs to, once that is known. how: 'own', 'joined' or 'new'.
  `CREATE TEMP TABLE stage_row (
    position INTEGER PRIMARY KEY, ${rowColumns}, release_id INTEGER, how TEXT
  )`,
  // What is planned: releases that were there before and that the rows touch. is_shown: the release shows this source.
  `CREATE TEMP TABLE stage_change (
    release_id INTEGER PRIMARY KEY, position INTEGER, is_shown INTEGER, has_other_roms INTEGER
  )`,
  'CREATE TEMP TABLE stage_gone (release_id INTEGER PRIMARY KEY, name TEXT)',
  'CREATE TEMP TABLE prune (position INTEGER PRIMARY KEY, release_id INTEGER, name TEXT)',
  'CREATE TEMP TABLE fact_change (kind TEXT, key TEXT, field TEXT, value TEXT)',
  'CREATE TEMP TABLE stage_hash (position INTEGER PRIMARY KEY, hash TEXT, release_id INTEGER)',
  // Releases that metadata is looked up for. shows_stage: the release is to show what the row at position says.
  `CREATE TEMP TABLE affected (
    release_id INTEGER PRIMARY KEY, position INTEGER, shows_stage INTEGER, has_stage_roms INTEGER
  )`,
  'CREATE TEMP TABLE offer (release_id INTEGER, field TEXT, value TEXT, PRIMARY KEY (release_id, field)) WITHOUT ROWID',
  'CREATE TEMP TABLE fill_serial (release_id INTEGER PRIMARY KEY, value TEXT, normalised TEXT)',
  `CREATE TEMP TABLE fill (
    release_id INTEGER PRIMARY KEY, developer TEXT, publisher TEXT, genre TEXT, franchise TEXT, release_date TEXT
  )`,
];

/** Work that sorts whole tables: SQLite takes as much memory for each sorter as the connection may cache. */
export async function withSmallSorters<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{ cache_size: number }>`PRAGMA cache_size`.execute(db);
  await sql`PRAGMA cache_size = -8192`.execute(db);
  try {
    return await work();
  } finally {
    await sql`PRAGMA cache_size = ${sql.lit(rows[0]?.cache_size ?? 0)}`.execute(db);
  }
}

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
  // Rows that were merged into another give their serials to it.
  `UPDATE stage_row SET search = search || coalesce((
      SELECT group_concat(' ' || lower(stage_serial.serial), '') FROM stage_raw AS same
      JOIN stage_serial ON row_position = same.position
      WHERE same.name = stage_row.name AND same.dump = stage_row.dump
        AND same.position <> stage_row.position), '')
    WHERE position IN (SELECT position FROM known)`,
  `UPDATE OR REPLACE stage_serial SET row_position = (
      SELECT position FROM stage_raw AS same
      WHERE (same.name, same.dump) = (SELECT name, dump FROM stage_raw AS own WHERE own.position = row_position)
      ORDER BY position LIMIT 1)
    WHERE row_position NOT IN (SELECT position FROM stage_row)`,
  `UPDATE stage_rom SET serial = coalesce(${serialsOfRoms}, '')
    WHERE row_position IN (SELECT position FROM known)`,
  'DROP TABLE known',
  'DELETE FROM stage_fact WHERE row_has_name',
  'CREATE INDEX temp.stage_row_by_release ON stage_row (release_id)',
];
