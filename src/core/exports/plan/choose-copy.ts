import type { FileSystem, ProfilePlatform } from '../profiles/profile.ts';
import { copiesInside, extensionOf } from './copies-inside.ts';
import type { ExportFile, ExportRelease } from './export-release.ts';
import { type Copy, sheetContainers, type Unusable } from './release-copy.ts';
import { isSafeName, splitName } from './safe-names.ts';

/** Maximum size of a file on FAT32, in bytes: 4 GiB - 1. */
const maxFat32Bytes = 0xffff_ffff;

export type Choice =
  | { readonly copy: Copy }
  | { readonly copy: null; readonly unusable: readonly Unusable[] };

/** The limits of a device. */
interface Device {
  readonly fileSystem: FileSystem;
  readonly title: string;
  /** True if images are taken out of archives that the device does not open. */
  readonly unpacks: boolean;
}

/**
 * Chooses the files of a release that a device opens. If several copies can be opened, the order of
 * the platform's extensions decides, then the file's name. A damaged copy is the last choice. An
 * image in an archive counts only if no file can be opened as it is.
 */
export function chooseCopy(
  { files, roms }: Pick<ExportRelease, 'files' | 'roms'>,
  platform: ProfilePlatform,
  device: Device,
): Choice {
  const unusable: Unusable[] = [];
  const leave = (file: ExportFile, why: string) =>
    void unusable.push({ file, why, isUnpackable: false });
  const best = bestOf(copiesOf(files, leave), platform, device, leave);
  if (best !== null) return { copy: best };
  const packed: Copy[] = [];
  const all = files.flatMap((file): Unusable[] => {
    const reasons = unusable.filter(({ file: { id } }) => id === file.id);
    if (file.archive === null) return reasons;
    const inside: Unusable[] = [];
    const leaveInside = (name: string | null, why: string) => {
      const shown = name === null ? file : { ...file, name: `${file.name}: ${name}` };
      inside.push({ file: shown, why, isUnpackable: false });
    };
    const { copies, why } = copiesInside(file, roms, device.fileSystem);
    if (why !== null) leaveInside(null, why);
    const own = bestOf(copies, platform, device, ({ name }, why) => leaveInside(name, why));
    if (own !== null) packed.push(own);
    if (device.unpacks) return inside;
    return reasons.map((reason) => ({ ...reason, isUnpackable: own !== null }));
  });
  const unpacked = device.unpacks ? bestOf(packed, platform, device, leave) : null;
  if (unpacked !== null) return { copy: unpacked };
  const playlists = files.filter(({ container }) => container === 'm3u');
  const why = 'It is a playlist, and the library has none of its discs';
  return {
    copy: null,
    unusable: [...all, ...playlists.map((file) => ({ file, why, isUnpackable: false }))],
  };
}

/** Returns the best of these copies. Calls `leave` for those that the device cannot open. */
function bestOf(
  copies: readonly Copy[],
  platform: ProfilePlatform,
  device: Device,
  leave: (main: ExportFile, why: string) => void,
): Copy | null {
  const usable: Copy[] = [];
  for (const copy of copies) {
    const why = whyUnusable(copy, platform, device);
    if (why === null) usable.push(copy);
    else leave(copy.main, why);
  }
  const [best = null] = usable.sort(
    (a, b) => rankOf(a, platform) - rankOf(b, platform) || byName(a, b),
  );
  return best;
}

function copiesOf(
  files: readonly ExportFile[],
  leave: (file: ExportFile, why: string) => void,
): Copy[] {
  const named = new Set<ExportFile>();
  const copies: Copy[] = [];
  const byPath = new Map(files.map((file) => [pathKey(file.folder, file.name), file]));
  for (const sheet of files) {
    if (!sheetContainers.has(sheet.container)) continue;
    const tracks = sheet.sheet.map((name) => {
      const isNamedAsSheet = name.startsWith('*.');
      const own = isNamedAsSheet ? splitName(sheet.name).stem + name.slice(1) : name;
      return { name: own, isNamedAsSheet, file: byPath.get(pathKey(sheet.folder, own)) };
    });
    for (const { file } of tracks) if (file !== undefined) named.add(file);
    const missing = tracks.find(({ file }) => file === undefined);
    if (missing !== undefined || tracks.length === 0) {
      leave(sheet, `It names the file "${missing?.name ?? ''}", which the library does not have`);
      continue;
    }
    copies.push({
      main: sheet,
      extension: extensionOf(sheet),
      tracks: tracks.flatMap(({ file, ...track }) =>
        file === undefined ? [] : [{ ...track, file }],
      ),
    });
  }
  for (const file of files) {
    if (named.has(file) || sheetContainers.has(file.container) || file.container === 'm3u') {
      continue;
    }
    // Drop the members of an archive, because they may be many, and a chosen copy stays in memory.
    const main = file.archive === null ? file : { ...file, archive: null };
    copies.push({ main, extension: extensionOf(file), tracks: [] });
  }
  return copies;
}

function whyUnusable(
  { main, extension, tracks }: Copy,
  platform: ProfilePlatform,
  { fileSystem, title }: Device,
): string | null {
  if (!platform.extensions.includes(extension)) {
    return extension === ''
      ? `${title} opens no files without an extension`
      : `${title} does not open .${extension} files of ${platform.name}`;
  }
  if (main.isNkit) return 'It is an NKit, which is not the whole disc';
  if (main.container === 'part') return 'It is a part of a split image';
  if (main.inside !== null && main.inside.images > 1) {
    return `It contains ${main.inside.images} images`;
  }
  if (fileSystem === 'fat32') {
    const large = [main, ...tracks.map(({ file }) => file)].find(
      ({ size }) => size > maxFat32Bytes,
    );
    if (large !== undefined) {
      return `It has ${large.size} bytes, and files on FAT32 have at most 4 GiB`;
    }
  }
  const unsafe = tracks.find(({ name }) => !name.split('/').every((part) => isPart(part)));
  if (unsafe !== undefined) {
    return `It names the file "${unsafe.name}", whose name the device cannot store`;
  }
  return null;

  function isPart(part: string): boolean {
    return part !== '..' && isSafeName(part, fileSystem);
  }
}

function rankOf({ main, extension }: Copy, { extensions }: ProfilePlatform): number {
  return extensions.indexOf(extension) + (main.problem === null ? 0 : extensions.length);
}

function byName({ main: one }: Copy, { main: other }: Copy): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.id - other.id;
}

/** Returns a key for a path. Case is ignored, as sheets made on Windows require. */
function pathKey(folder: string, name: string): string {
  return `${folder}/${name}`.toLowerCase();
}
