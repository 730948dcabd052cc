import { sql } from 'kysely';
import { type Method, methods } from '../../core/library/library-file.ts';
import type { Reason } from '../../core/library/match/reasons.ts';
import type {
  DistinguishedRelease,
  ExplainedFile,
  ReasonForRelease,
} from '../../core/library/shown-files.ts';
import type { Database } from '../engine/engine.ts';
import { selectShown, toShown } from './shown-files.ts';

/** Evidence about a file, in the form that the function `explain` in core returns. */
interface StoredEvidence {
  readonly pointedAt?: Readonly<Partial<Record<Method, readonly number[]>>>;
  readonly decidedBy?: string;
  readonly why?: readonly Reason[];
}

/** Number of releases that one query reads. */
const releasesPerQuery = 500;

/**
 * Returns a file with the evidence that was read from the file, and the releases that the evidence
 * matched. Omits releases that no longer exist. Returns null if the file does not exist.
 */
export async function explainFile(db: Database, id: number): Promise<ExplainedFile | null> {
  const row = await selectShown(db)
    .select(['file.identity', 'file.evidence', 'file.tied', 'file.image_size'])
    .select(['file.crc32', 'file.md5', 'file.sha1'])
    .where('file.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { identity, evidence, tied, image_size, crc32, md5, sha1, ...shown } = row;
  const { pointedAt = {}, decidedBy, why = [] }: StoredEvidence = JSON.parse(evidence);
  const left: number[] = JSON.parse(tied ?? '[]');
  const strongest = methods.flatMap((method) => pointedAt[method] ?? []);
  const isManual = shown.method === 'manual' && shown.release_id !== null;
  const reasons = isManual ? [] : why;
  const releasesById = await findReleasesById(db, [
    ...left,
    ...strongest,
    ...(shown.release_id === null ? [] : [shown.release_id]),
    ...reasons.flatMap(({ held, failed }) => [...held, ...failed]),
  ]);
  const named = (ids: readonly number[] = []) =>
    ids.flatMap((each) => releasesById.get(each) ?? []).map(({ id, name }) => ({ id, name }));
  const reasonsFor = ({ rule, held, failed }: Reason): ReasonForRelease[] => [
    ...named(held).map((release) => ({ rule, release, held: true })),
    ...named(failed).map((release) => ({ rule, release, held: false })),
  ];
  const hasHashes = crc32 !== null && md5 !== null && sha1 !== null;
  return {
    ...toShown(shown),
    releasePlatform: releasesById.get(shown.release_id ?? 0)?.platform ?? null,
    identity: JSON.parse(identity),
    hashes: hasHashes ? { size: image_size ?? row.size, crc32, md5, sha1 } : null,
    releasesByMethod: methods
      .map((method) => ({ method, releases: named(pointedAt[method]) }))
      .filter(({ releases }) => releases.length > 0),
    candidates: named(left),
    choices: [...new Set([...left, ...strongest])].flatMap((each) => releasesById.get(each) ?? []),
    decidedBy: decidedBy ?? null,
    why: reasons.flatMap(reasonsFor),
  };
}

/** Returns the visible releases among these ids, by id. */
export async function findReleasesById(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, DistinguishedRelease>> {
  const all = [...new Set(ids)];
  const releases = new Map<number, DistinguishedRelease>();
  for (let start = 0; start < all.length; start += releasesPerQuery) {
    const some = all.slice(start, start + releasesPerQuery);
    const rows = await db
      .selectFrom('listed_release as release')
      .leftJoin('platform', 'platform.id', 'release.platform_id')
      .select(['release.id', 'release.name', 'release.region', 'release.serial'])
      .select((one) => one.fn.coalesce('platform.name', sql<string>`''`).as('platform'))
      .where(sql<boolean>`release.id IN ${db.dialect.list(some, 'integer')}`)
      .execute();
    for (const row of rows) releases.set(row.id, row);
  }
  return releases;
}
