import type { ExportFile, ExportRelease } from '../../../src/core/exports/plan/export-release.ts';
import type { OpenedSet } from '../../../src/core/exports/ports.ts';
import { Profiles } from '../../../src/core/exports/profiles/profiles.ts';
import { readProfileFiles } from '../../../src/files/exports/profile-files.ts';

let lastId = 0;

/** Returns a library file with this name. Its container is the file extension. */
export function libraryFile(name: string, more: Partial<ExportFile> = {}): ExportFile {
  lastId += 1;
  return {
    id: lastId,
    name,
    folder: '/library',
    size: 1_000,
    container: name.slice(name.lastIndexOf('.') + 1).toLowerCase(),
    canonical: null,
    isExact: false,
    sheet: [],
    inside: null,
    archive: null,
    member: null,
    isNkit: false,
    problem: null,
    ...more,
  };
}

/** Returns a release. By default, its only file is `x<id>.chd`. */
export function exportRelease(name: string, more: Partial<ExportRelease> = {}): ExportRelease {
  lastId += 1;
  return {
    id: lastId,
    name,
    region: '',
    serial: '',
    title: '',
    synopsis: '',
    releaseDate: '',
    developer: '',
    publisher: '',
    genre: '',
    franchise: '',
    roms: [],
    files: [libraryFile(`x${lastId}.chd`)],
    ...more,
  };
}

/** Returns the export profiles that are part of the program. */
export async function shippedProfiles(): Promise<Profiles> {
  return new Profiles(await readProfileFiles('/nonexistent'));
}

/**
 * Returns a set with these releases by platform. The platforms, and the releases of each platform,
 * are sorted by name.
 */
export function openedSet(
  platforms: Readonly<Record<string, readonly ExportRelease[]>>,
  { name = 'My set', missing = 0 }: { name?: string; missing?: number } = {},
): OpenedSet {
  return {
    name,
    platforms: async () => Object.keys(platforms).sort(),
    async *releases(platform) {
      const releases = [...(platforms[platform] ?? [])];
      yield releases.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    countMissing: async () => missing,
  };
}
