import { type RawBuilder, sql } from 'kysely';
import { type Method, methods } from '../../core/library/library-file.ts';
import type { Candidate, CandidateRom, Evidence, LookUp } from '../../core/library/match.ts';
import type { Database } from '../engine.ts';

/** Releases by the key that points at them. */
type Pointers = Map<string, Set<number>>;

/** More releases than this behind one key say nothing. */
const mostPerKey = 200;

/** What each look-up points at in the catalogue; a few queries for all of them together. */
export async function findEvidence(db: Database, lookUps: readonly LookUp[]): Promise<Evidence[]> {
  const pointers = await findPointers(db, lookUps);
  const ids = new Set(
    Object.values(pointers).flatMap((map) => [...map.values()].flatMap((s) => [...s])),
  );
  const candidates = await fetchCandidates(db, [...ids]);
  return lookUps.map((lookUp) => {
    const of = (method: Method): Candidate[] => {
      const found = new Set(
        keysOf(lookUp, method).flatMap((key) => [...(pointers[method].get(key) ?? [])]),
      );
      return [...found].flatMap((id) => candidates.get(id) ?? []);
    };
    const evidence = Object.fromEntries(methods.map((method) => [method, of(method)]));
    return evidence as Record<Method, Candidate[]>;
  });
}

function keysOf(lookUp: LookUp, method: Method): readonly string[] {
  if (method === 'serial') {
    return lookUp.gameCode === '' ? lookUp.serials : [...lookUp.serials, `code:${lookUp.gameCode}`];
  }
  if (method === 'name') return lookUp.names;
  if (method === 'crc32') return lookUp.images.map(({ crc32, size }) => `${crc32}:${size}`);
  return lookUp[method];
}

async function findPointers(
  db: Database,
  lookUps: readonly LookUp[],
): Promise<Record<Method, Pointers>> {
  const keys = (method: Method) => lookUps.flatMap((lookUp) => keysOf(lookUp, method));
  const [hash, serial, codes, name] = await Promise.all([
    point(
      db,
      [...keys('sha1'), ...keys('md5'), ...keys('crc32')],
      (listed) => sql`SELECT hash AS key, release_id FROM rom_hash WHERE hash IN ${listed}`,
    ),
    point(
      db,
      keys('serial'),
      (listed) =>
        sql`SELECT serial AS key, release_id FROM release_serial WHERE serial IN ${listed}`,
    ),
    pointByGameCode(db, lookUps),
    point(
      db,
      keys('name'),
      (
        listed,
      ) => sql`SELECT name AS key, id AS release_id FROM listed_release WHERE name IN ${listed}
        UNION SELECT name, release_id FROM source_row WHERE name IN ${listed}
        UNION SELECT name, min(release_id) FROM rom
          WHERE name IN ${listed} AND EXISTS (SELECT 1 FROM listed_release WHERE id = rom.release_id)
          GROUP BY name HAVING min(release_id) = max(release_id)`,
    ),
  ]);
  // Nothing is a key of two kinds.
  return { sha1: hash, md5: hash, crc32: hash, serial: new Map([...serial, ...codes]), name };
}

async function point(
  db: Database,
  keys: readonly string[],
  queryFor: (listed: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Pointers> {
  // Most files have few kinds of evidence, and each query is a way to the database's thread and back.
  if (keys.length === 0) return new Map();
  // In this order, so that where there are too many the same ones are left out every time.
  const ordered = sql<{
    key: string;
    release_id: number;
  }>`${queryFor(listed(keys))} ORDER BY release_id`;
  const { rows } = await ordered.execute(db);
  const pointers: Pointers = new Map();
  for (const { key, release_id } of rows) {
    const ids = pointers.get(key) ?? new Set();
    if (ids.size < mostPerKey) ids.add(release_id);
    pointers.set(key, ids);
  }
  return pointers;
}

/** The code of a Nintendo disc is one part of the printed serial: GW7P of DL-DOL-GW7P-EUR. */
async function pointByGameCode(db: Database, lookUps: readonly LookUp[]): Promise<Pointers> {
  const pointers: Pointers = new Map();
  for (const code of new Set(lookUps.map((lookUp) => lookUp.gameCode))) {
    if (!/^[A-Z0-9]{4}$/.test(code)) continue;
    const { rows } = await sql<{ id: number; serial: string }>`
      SELECT source_row.release_id AS id, source_row.serial FROM release_search
      JOIN source_row ON source_row.release_id = release_search.rowid
      WHERE text LIKE ${`%${code}%`} LIMIT 5000`.execute(db);
    const ids = rows
      .filter((row) =>
        row.serial
          .toUpperCase()
          .split(/[^A-Z0-9]+/)
          .includes(code),
      )
      .map((row) => row.id);
    pointers.set(`code:${code}`, new Set(ids.slice(0, mostPerKey)));
  }
  return pointers;
}

async function fetchCandidates(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, Candidate>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{
    id: number;
    names: string;
    key: string | null;
    serials: string;
    roms: string;
  }>`SELECT release.id, platform.key,
      (SELECT json_group_array(name) FROM (SELECT release.name
          UNION SELECT name FROM source_row WHERE release_id = release.id)) AS names,
      (SELECT json_group_array(DISTINCT serial) FROM release_serial WHERE release_id = release.id) AS serials,
      (SELECT json_group_array(json_object('name', name, 'size', size, 'crc32', crc32, 'md5', md5,
          'sha1', sha1) ORDER BY position) FROM rom WHERE release_id = release.id) AS roms
    FROM listed_release AS release LEFT JOIN platform ON platform.id = release.platform_id
    WHERE release.id IN ${listed(ids)}`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        releaseId: row.id,
        names: JSON.parse(row.names) as string[],
        platformKey: row.key ?? '',
        serials: JSON.parse(row.serials) as string[],
        roms: JSON.parse(row.roms) as CandidateRom[],
      },
    ]),
  );
}

function listed(values: readonly (string | number)[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}
