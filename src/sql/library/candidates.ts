import { sql } from 'kysely';
import type { Candidate, CandidateRom } from '../../core/library/candidate.ts';
import type { Database } from '../engine.ts';

/** The releases of these ids that readers see, as matching looks at them. */
export async function findCandidates(
  db: Database,
  ids: ReadonlySet<number>,
): Promise<Map<number, Candidate>> {
  if (ids.size === 0) return new Map();
  const { dialect } = db;
  const rom = dialect.jsonObject({
    name: sql.ref('name'),
    size: sql.ref('size'),
    crc32: sql.ref('crc32'),
    md5: sql.ref('md5'),
    sha1: sql.ref('sha1'),
  });
  const { rows } = await sql<{
    id: number;
    names: string;
    region: string;
    key: string | null;
    serials: string;
    roms: string;
  }>`SELECT release.id, platform.key, release.region,
      (SELECT ${dialect.jsonArray(sql.ref('name'))} FROM (SELECT release.name
          UNION SELECT name FROM source_row WHERE release_id = release.id) AS named) AS names,
      (SELECT ${dialect.jsonArray(sql.ref('serial'))} FROM (SELECT DISTINCT serial FROM release_serial
          WHERE release_id = release.id) AS numbered) AS serials,
      (SELECT ${dialect.jsonArray(rom, sql.ref('position'))} FROM rom WHERE release_id = release.id) AS roms
    FROM listed_release AS release LEFT JOIN platform ON platform.id = release.platform_id
    WHERE release.id IN ${dialect.list([...ids], 'integer')}`.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        releaseId: row.id,
        names: JSON.parse(row.names) as string[],
        region: row.region,
        platformKey: row.key ?? '',
        serials: JSON.parse(row.serials) as string[],
        roms: JSON.parse(row.roms) as CandidateRom[],
      },
    ]),
  );
}
