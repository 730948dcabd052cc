import { sql } from 'kysely';
import type { Candidate, CandidateRom } from '../../core/library/match/candidate.ts';
import { Slices } from '../../core/shared/concurrency/slices.ts';
import type { Database } from '../engine/engine.ts';

/** Number of releases that one query reads. */
const releasesPerQuery = 200;
/**
 * Maximum number of ROMs that are read together with their release. If a release has more ROMs, the
 * ROMs are read separately, in pages.
 */
const romsWithRelease = 50;
const romsPerPage = 5_000;

/** Returns the visible releases with these ids as candidates for matching. */
export async function findCandidates(
  db: Database,
  ids: ReadonlySet<number>,
): Promise<Map<number, Candidate>> {
  const candidates = new Map<number, Candidate>();
  const all = [...ids];
  const slices = new Slices();
  for (let start = 0; start < all.length; start += releasesPerQuery) {
    for (const row of await readCandidates(db, all.slice(start, start + releasesPerQuery))) {
      if (slices.isOver) await slices.next();
      candidates.set(row.id, {
        releaseId: row.id,
        names: JSON.parse(row.names) as string[],
        region: row.region,
        platformKey: row.key ?? '',
        serials: JSON.parse(row.serials) as string[],
        roms: row.roms === null ? await readRoms(db, row.id) : JSON.parse(row.roms),
      });
    }
  }
  return candidates;
}

/**
 * A release whose lists are JSON texts. `roms` is null if the release has more than
 * `romsWithRelease` ROMs.
 */
interface CandidateRow {
  id: number;
  names: string;
  region: string;
  key: string | null;
  serials: string;
  roms: string | null;
}

async function readCandidates(db: Database, ids: readonly number[]): Promise<CandidateRow[]> {
  const { dialect } = db;
  const { rows } = await sql<CandidateRow>`SELECT release.id, platform.key, release.region,
      (SELECT ${dialect.jsonArray(sql.ref('name'))} FROM (SELECT release.name
          UNION SELECT name FROM source_row WHERE release_id = release.id) AS named) AS names,
      (SELECT ${dialect.jsonArray(sql.ref('serial'))} FROM (SELECT DISTINCT serial FROM release_serial
          WHERE release_id = release.id) AS numbered) AS serials,
      CASE WHEN (SELECT count(*) FROM rom WHERE release_id = release.id) <= ${sql.lit(romsWithRelease)}
        THEN (SELECT ${romList(db)} FROM rom WHERE release_id = release.id) END AS roms
    FROM listed_release AS release LEFT JOIN platform ON platform.id = release.platform_id
    WHERE release.id IN ${dialect.list(ids, 'integer')}`.execute(db);
  return rows;
}

/**
 * Reads the ROMs of a large release in pages, because reading all ROMs at once would block the
 * event loop.
 */
async function readRoms(db: Database, releaseId: number): Promise<CandidateRom[]> {
  const roms: CandidateRom[] = [];
  for (;;) {
    const { rows } = await sql<{ roms: string }>`SELECT ${romList(db)} AS roms FROM (
        SELECT name, size, crc32, md5, sha1, position FROM rom WHERE release_id = ${releaseId}
        ORDER BY position, id LIMIT ${sql.lit(romsPerPage)} OFFSET ${sql.lit(roms.length)}
      ) AS page`.execute(db);
    const page = JSON.parse(rows[0]?.roms ?? '[]') as CandidateRom[];
    for (const rom of page) roms.push(rom);
    if (page.length < romsPerPage) return roms;
  }
}

function romList({ dialect }: Database) {
  const fields = ['name', 'size', 'crc32', 'md5', 'sha1'].map((name) => [name, sql.ref(name)]);
  return dialect.jsonArray(dialect.jsonObject(Object.fromEntries(fields)), sql.ref('position'));
}
