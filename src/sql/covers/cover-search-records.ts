import { sql } from 'kysely';
import type {
  CoverMiss,
  CoverRelease,
  CoverSearchRecords,
  CoverSearchTerms,
} from '../../core/covers/ports.ts';
import type { Identity } from '../../core/library/identity.ts';
import type { Engine } from '../engine/engine.ts';

const releasesPerBatch = 5_000;
/** Types of disc that may contain their own cover picture. */
const discsWithArt = ['psp', 'umd-video'] as const;

/**
 * Reads the records that the cover search needs, and stores for which releases no cover was found.
 */
export class SqlCoverSearchRecords implements CoverSearchRecords {
  readonly #engine: Engine;

  constructor(parts: { engine: Engine }) {
    this.#engine = parts.engine;
  }

  async findSearchTerms(releaseId: number): Promise<CoverSearchTerms | null> {
    const release = await this.#engine.read
      .selectFrom('listed_release as release')
      .innerJoin('platform', 'platform.id', 'release.platform_id')
      .select(['platform.name as platform', 'release.name'])
      .where('release.id', '=', releaseId)
      .executeTakeFirst();
    if (release === undefined) return null;
    const rows = await this.#engine.read
      .selectFrom('source_row')
      .select('name')
      .where('release_id', '=', releaseId)
      .orderBy('is_shown', 'desc')
      .orderBy('source_id')
      .execute();
    const names = rows.map((row) => row.name);
    return { platform: release.platform, names: names.length > 0 ? names : [release.name] };
  }

  async findMiss(releaseId: number): Promise<CoverMiss | null> {
    const row = await this.#engine.read
      .selectFrom('cover_miss')
      .selectAll()
      .where('release_id', '=', releaseId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { source, kind, reason, asked_at } = row;
    return { source, kind, reason, requestedAt: Date.parse(asked_at) };
  }

  async recordMiss(releaseId: number, miss: CoverMiss): Promise<void> {
    const { source, kind, reason } = miss;
    const values = { source, kind, reason, asked_at: new Date(miss.requestedAt).toISOString() };
    await this.#engine.write(async (trx) => {
      await trx
        .insertInto('cover_miss')
        // Selects the inserted row from the releases. If the release was deleted meanwhile, no row
        // is inserted.
        .columns(['release_id', 'source', 'kind', 'reason', 'asked_at'])
        .expression((query) =>
          query
            .selectFrom('listed_release as release')
            .select([
              'id',
              sql.val(source).as('source'),
              sql.val(kind).as('kind'),
              sql.val(reason).as('reason'),
              sql.val(values.asked_at).as('asked_at'),
            ])
            .where('id', '=', releaseId),
        )
        .onConflict((conflict) => conflict.column('release_id').doUpdateSet(values))
        .execute();
    });
  }

  async *releases(system: string | undefined): AsyncGenerator<CoverRelease[]> {
    for (let after = 0; ; ) {
      let query = this.#engine.read
        .selectFrom('listed_release as release')
        .select(['id', 'system', 'name'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(releasesPerBatch);
      if (system !== undefined) query = query.where('system', '=', system);
      const batch = await query.execute();
      yield batch;
      const last = batch.at(-1);
      if (last === undefined || batch.length < releasesPerBatch) return;
      after = last.id;
    }
  }

  releasesOf(ids: readonly number[]): Promise<CoverRelease[]> {
    const { dialect } = this.#engine.read;
    return this.#engine.read
      .selectFrom('listed_release as release')
      .select(['id', 'system', 'name'])
      .where(sql<boolean>`release.id IN ${dialect.list(ids, 'integer')}`)
      .orderBy('id')
      .execute();
  }

  async ownedReleases(): Promise<number[]> {
    const rows = await this.#engine.read
      .selectFrom('library_file')
      .select('release_id')
      .distinct()
      .where('release_id', 'is not', null)
      .execute();
    return rows.flatMap(({ release_id }) => release_id ?? []);
  }

  async releasesFromDisc(): Promise<ReadonlySet<number>> {
    const rows = await this.#engine.read
      .selectFrom('cover_origin')
      .select('release_id')
      .where('kind', '=', 'disc')
      .execute();
    return new Set(rows.map((row) => row.release_id));
  }

  async discImages(roots: readonly string[]): Promise<{ releaseId: number; path: string }[]> {
    const { dialect } = this.#engine.read;
    const identity = sql.ref('library_file.identity');
    const rows = await this.#engine.read
      .selectFrom('library_file')
      .innerJoin('library_root', 'library_root.id', 'library_file.root_id')
      .select(['library_file.release_id', 'library_file.path', 'library_file.identity'])
      .where(sql<boolean>`library_root.path IN ${dialect.list(roots)}`)
      .where((where) =>
        // Selects files whose identity names a disc type with art, so that few identities are
        // parsed.
        where.or(discsWithArt.map((disc) => dialect.contains(identity, `"${disc}"`))),
      )
      .where('library_file.release_id', 'is not', null)
      .orderBy('library_file.path')
      .execute();
    return rows.flatMap(({ release_id, path, identity }) => {
      const { disc }: Pick<Identity, 'disc'> = JSON.parse(identity);
      const hasArt = discsWithArt.some((one) => one === disc);
      return release_id !== null && hasArt ? [{ releaseId: release_id, path }] : [];
    });
  }
}
