import type { ReleaseRule, SelectedSet } from '../../../src/core/shared/release-rule.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import type { engines } from '../fixtures/engines.ts';
import { useReleases } from '../fixtures/use-releases.ts';

/** The day of the tests, from which `added_days` counts back. */
export const today = '2026-11-26';

/** A release of the tests, with its metadata and its files in the library. */
export interface SetRelease {
  readonly name: string;
  readonly system?: string;
  readonly platform?: string;
  readonly region?: string;
  readonly serial?: string;
  readonly meta?: Readonly<
    Partial<Record<'genre' | 'developer' | 'publisher' | 'franchise' | 'release_date', string>>
  >;
  readonly files?: readonly { readonly method: 'sha1' | 'name'; readonly added_at?: string }[];
}

/** Releases with and without each value that a rule can compare. */
export const setReleases: readonly SetRelease[] = [
  {
    name: 'Tekken 3 (Europe) (En,Fr,De)',
    platform: 'Sony - PlayStation',
    region: 'Europe',
    serial: 'SCES-01237',
    meta: { genre: 'Fighting', developer: 'Namco', franchise: 'Tekken', release_date: '1998-09' },
    files: [{ method: 'sha1', added_at: '2026-11-26T01:00:00.000Z' }],
  },
  {
    name: 'Tekken 3 (USA)',
    platform: 'Sony - PlayStation',
    region: 'USA',
    meta: {
      genre: 'fighting',
      developer: 'NAMCO',
      franchise: 'Tekken',
      release_date: '1998-04-29',
    },
    files: [{ method: 'name', added_at: '2026-10-01T00:00:00.000Z' }],
  },
  {
    name: 'Ridge Racer (World) (En-US+Ja)',
    platform: 'Sony - PSP',
    region: 'World',
    meta: { genre: 'Racing, Arcade', publisher: 'Sony', release_date: '2004' },
    files: [{ method: 'sha1' }, { method: 'name', added_at: '2026-11-25T00:00:00.000Z' }],
  },
  { name: 'Lumines (Japan)', platform: 'Sony - PSP', region: 'Japan', serial: 'ULJS-19005' },
  { name: 'Lumines II (USA, Europe) (En,Es)', platform: 'Sony - PSP', region: 'USA, Europe' },
  { name: 'Film (Fr)', system: 'videos', platform: 'UMD Video', region: 'France', meta: {} },
  { name: 'No platform', meta: { genre: 'Ärger', release_date: 'soon' } },
  { name: '100% _odd_', system: 'videos', region: 'usa' },
];

/** Opens a new database with `setReleases`. */
export async function useSetReleases(
  open: (typeof engines)[number]['open'],
  releases = setReleases,
) {
  const used = await useReleases(
    open,
    releases.map(({ meta: _meta, files: _files, ...row }) => row),
  );
  await addMetadata(used.engine, releases, used.ids);
  await addFiles(used.engine, releases, used.ids);
  return used;
}

/** Returns the set with a rule. */
export function setOf(rule: ReleaseRule, prefer: SelectedSet['prefer'] = null): SelectedSet {
  return { key: JSON.stringify([rule, prefer]), rule, prefer, viewer: 'everybody', today };
}

async function addMetadata(
  engine: Engine,
  releases: readonly SetRelease[],
  ids: readonly number[],
): Promise<void> {
  const nothing = { release_date: null, developer: null, publisher: null, genre: null };
  await engine.write(async (trx) => {
    for (const [i, { meta }] of releases.entries()) {
      if (meta === undefined) continue;
      const more = { synopsis: null, franchise: null, title: '', manual: false };
      await trx
        .insertInto('release_meta')
        .values({ release_id: ids[i] ?? 0, ...nothing, ...more, ...meta })
        .execute();
    }
  });
}

/** Adds the files of releases to the library. */
export async function addFiles(
  engine: Engine,
  releases: readonly SetRelease[],
  ids: readonly number[],
): Promise<void> {
  await engine.write(async (trx) => {
    const root = { path: '/games', system: 'games', scanned_at: null, problem: null };
    const { id: root_id } = await trx
      .insertInto('library_root')
      .values(root)
      .returning('id')
      .executeTakeFirstOrThrow();
    const texts = { identity: '{}', evidence: '{}', system: 'games', search: '' };
    const nothing = { serial: null, image_size: null, crc32: null, md5: null, sha1: null };
    for (const [i, { files = [] }] of releases.entries()) {
      for (const [at, file] of files.entries()) {
        const path = `/games/${i}-${at}`;
        const row = { path, name: path, size: 1, mtime_ns: 1, inode: i, canonical: null };
        const found = { release_id: ids[i] ?? 0, problem: null };
        await trx
          .insertInto('library_file')
          .values({ root_id, ...row, ...texts, ...nothing, ...found, ...file })
          .execute();
      }
    }
  });
}
