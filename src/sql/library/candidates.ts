import { sql } from 'kysely';
import type { Candidate, CandidateRom } from '../../core/library/candidate.ts';
import { Slices } from '../../core/shared/slices.ts';
import type { Database } from '../engine.ts';

/** Releases per query: the list of ROMs of one release may be long. */
const releasesPerQuery = 200;

/** The releases of these ids that readers see, as matching looks at them. */
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
        roms: JSON.parse(row.roms) as CandidateRom[],
      });
    }
  }
  return candidates;
}

/** A release, its lists as JSON. */
interface CandidateRow {
  id: number;
  names: string;
  region: string;
  key: string | null;
  serials: string;
  roms: string;
}

async function readCandidates(db: Database, ids: readonly number[]): Promise<CandidateRow[]> {
  const { dialect } = db;
  const rom = dialect.jsonObject({
    name: sql.ref('name'),
    size: sql.ref('size'),
    crc32: sql.ref('crc32'),
    md5: sql.ref('md5'),
    sha1: sql.ref('sha1'),
  });
  const { rows } = await sql<CandidateRow>`SELECT release.id, platform.key, release.region,
      (SELECT ${dialect.jsonArray(sql.ref('name'))} FROM (SELECT release.name
          UNION SELECT name FROM source_row WHERE release_id = release.id) AS named) AS names,
      (SELECT ${dialect.jsonArray(sql.ref('serial'))} FROM (SELECT DISTINCT serial FROM release_serial
          WHERE release_id = release.id) AS numbered) AS serials,
      (SELECT ${dialect.jsonArray(rom, sql.ref('position'))} FROM rom WHERE release_id = release.id) AS roms
    FROM listed_release AS release LEFT JOIN platform ON platform.id = release.platform_id
    WHERE release.id IN ${dialect.list(ids, 'integer')}`.execute(db);
  return rows;
}
