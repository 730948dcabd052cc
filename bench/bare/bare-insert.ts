// The reference for imports, run in a separate process. Inserts the releases and ROMs of DATs into
// the catalog's own schema with its indexes and search index. The DATs are parsed beforehand. The
// inserts use prepared statements in one durable transaction.
import { createReadStream } from 'node:fs';
import Database from 'better-sqlite3';
import type { DatRow } from '../../src/core/imports/dat.ts';
import { dumpOf, strongestKey } from '../../src/core/imports/dump.ts';
import { regionOf } from '../../src/core/imports/region.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { openDatabase } from '../../src/sql/engine/open.ts';

export interface BareInsert {
  readonly ms: number;
}

interface Platform {
  readonly name: string;
  readonly rows: DatRow[];
}

process.once('message', async ({ dats, file }: { dats: string[]; file: string }) => {
  const platforms = await Promise.all(dats.map(readPlatform));
  const database = await createDatabase(file);
  const started = performance.now();
  insertAll(database, platforms);
  const ms = performance.now() - started;
  database.close();
  process.send?.({ ms } satisfies BareInsert);
});

/** Reads the rows of a DAT. Skips a row that repeats the name and dump of an earlier row. */
async function readPlatform(dat: string): Promise<Platform> {
  let name = '';
  const rows = new Map<string, DatRow>();
  await readDat(createReadStream(dat), {
    header(header) {
      name = header.name;
    },
    row(row) {
      const pair = JSON.stringify([row.name, strongestKey(dumpOf(row.roms))]);
      if (!rows.has(pair)) rows.set(pair, { ...row, region: regionOf(row) });
    },
  });
  return { name, rows: [...rows.values()] };
}

async function createDatabase(file: string): Promise<Database.Database> {
  await (await openDatabase(file)).close();
  const database = new Database(file);
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  database.pragma('cache_size = -32768');
  return database;
}

function insertAll(database: Database.Database, platforms: readonly Platform[]): void {
  const platform = database.prepare('INSERT INTO platform (key, name) VALUES (?, ?)');
  const platformIds = new Map<string, number | bigint>();
  const release = database.prepare(
    `INSERT INTO release (platform_id, system, name, region, serial, description)
      VALUES (?, 'games', ?, ?, ?, ?)`,
  );
  const rom = database.prepare(
    `INSERT INTO rom (release_id, position, name, size, crc32, md5, sha1, serial)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const romHash = database.prepare(
    'INSERT OR IGNORE INTO rom_hash (hash, release_id) VALUES (?, ?)',
  );
  database.transaction(() => {
    for (const { name, rows } of platforms) {
      // Two publishers may each have a DAT for the same platform, so a name can repeat.
      const platformId = platformIds.get(name) ?? platform.run(name, name).lastInsertRowid;
      platformIds.set(name, platformId);
      for (const row of rows) {
        const { lastInsertRowid } = release.run(
          platformId,
          row.name,
          row.region,
          row.serial,
          row.description,
        );
        for (const [position, { name, size, crc32, md5, sha1, serial }] of row.roms.entries()) {
          rom.run(lastInsertRowid, position, name, size ?? 0, crc32, md5, sha1, serial);
          for (const hash of [sha1, md5, crc32 && `${crc32}:${size ?? 0}`]) {
            if (hash !== '') romHash.run(hash, lastInsertRowid);
          }
        }
      }
    }
  })();
}
