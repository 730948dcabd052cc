import { type ExportRequest, Exports } from '../../src/core/exports/exports.ts';
import type { ExportRelease } from '../../src/core/exports/plan/export-release.ts';
import { createWriteExport } from '../../src/files/exports/write-export.ts';
import { exportZip } from '../../src/zip/write-zip.ts';
import { openedSet, shippedProfiles } from '../support/exports/releases.ts';

type Platforms = Readonly<Record<string, readonly ExportRelease[]>>;

/**
 * Returns exports of these releases. The releases in `covered` have a cover, the text `cover`.
 * Releases that are added to `all` later are known too.
 */
export async function exportsOf(
  platforms: Platforms,
  covered: readonly ExportRelease[] | 'all' = [],
  all = new Map<number, ExportRelease>(),
): Promise<Exports> {
  for (const release of Object.values(platforms).flat()) all.set(release.id, release);
  const withCover = new Set(covered === 'all' ? [] : covered.map(({ id }) => id));
  const hasCover = (id: number) => covered === 'all' || withCover.has(id);
  return new Exports({
    profiles: await shippedProfiles(),
    records: { describe: async (ids) => ids.flatMap((id) => all.get(id) ?? []) },
    covers: {
      tagsOf: async (ids) => new Map(ids.filter(hasCover).map((id) => [id, ''])),
      read: async (id) => (hasCover(id) ? Buffer.from('cover') : null),
    },
    convertPicture: async (bytes) => bytes,
    zip: exportZip,
    write: createWriteExport(exportZip),
  });
}

/** Returns the files of an export for a profile, by path. */
export async function exported(
  profile: string,
  platforms: Platforms,
  more: Partial<Omit<ExportRequest, 'profile'>> & { covered?: readonly ExportRelease[] } = {},
): Promise<ReadonlyMap<string, string>> {
  const { covered, set = openedSet(platforms), romsPath = '' } = more;
  const exports = await exportsOf(platforms, covered);
  const files = new Map<string, string>();
  for await (const { path, content } of exports.open({ set, profile, romsPath }).members) {
    if (files.has(path)) throw new Error(`${path} is there twice`);
    let text = '';
    for await (const piece of content) text += Buffer.from(piece).toString();
    files.set(path, text);
  }
  return files;
}

/** Returns the content of `left_out.json`. */
export function leftOutOf(files: ReadonlyMap<string, string>) {
  return JSON.parse(files.get('left_out.json') ?? '') as {
    set: string;
    profile: string;
    not_in_library: number;
    left_out: {
      platform: string;
      release: string;
      release_id: number;
      file: string;
      why: string;
    }[];
  };
}
