import type { FileSystem, ProfilePlatform } from '../profiles/profile.ts';
import type { ExportFile } from './export-release.ts';
import { isSafeName, splitName } from './file-names.ts';

/** Maximum size of a file on FAT32, in bytes: 4 GiB - 1. */
const maxFat32Bytes = 0xffff_ffff;

/** The containers of sheets, except playlists, which an export makes itself. */
const sheetContainers: ReadonlySet<string> = new Set(['cue', 'gdi', 'ccd', 'mds']);

/** A release as the library has it once: one file, or a sheet with the files that it names. */
export interface Copy {
  readonly main: ExportFile;
  readonly extension: string;
  /** The files of a sheet, in its order. */
  readonly tracks: readonly Track[];
}

/** A file that a sheet names. */
export interface Track {
  /** The name that the sheet states. */
  readonly name: string;
  /** True if the sheet states only the extension, so that the file has the name of the sheet. */
  readonly isNamedAsSheet: boolean;
  readonly file: ExportFile;
}

/** A file that a device cannot open, and why. */
export interface Unusable {
  readonly file: ExportFile;
  /** A sentence. */
  readonly why: string;
}

export type Choice =
  | { readonly copy: Copy }
  | { readonly copy: null; readonly unusable: readonly Unusable[] };

/**
 * Chooses the files of a release that a device opens. If several copies can be opened, the order of
 * the platform's extensions decides, then the file's name. A damaged copy is the last choice.
 */
export function chooseCopy(
  files: readonly ExportFile[],
  platform: ProfilePlatform,
  device: { readonly fileSystem: FileSystem; readonly title: string },
): Choice {
  const unusable: Unusable[] = [];
  const usable: Copy[] = [];
  for (const copy of copiesOf(files, unusable)) {
    const why = whyUnusable(copy, platform, device);
    if (why === null) usable.push(copy);
    else unusable.push({ file: copy.main, why });
  }
  const [best] = usable.sort((a, b) => rankOf(a, platform) - rankOf(b, platform) || byName(a, b));
  if (best !== undefined) return { copy: best };
  const playlists = files.filter(({ container }) => container === 'm3u');
  const why = 'It is a playlist, and the library has none of its discs';
  return { copy: null, unusable: [...unusable, ...playlists.map((file) => ({ file, why }))] };
}

function copiesOf(files: readonly ExportFile[], unusable: Unusable[]): Copy[] {
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
      const why = `It names the file "${missing?.name ?? ''}", which the library does not have`;
      unusable.push({ file: sheet, why });
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
    copies.push({ main: file, extension: extensionOf(file), tracks: [] });
  }
  return copies;
}

/** Returns the extension of a file in the tree. A file with the bytes of a ROM has the ROM's. */
function extensionOf({ name, canonical, isExact }: ExportFile): string {
  const own = splitName(name).extension;
  if (!isExact || canonical === null) return own;
  return splitName(canonical).extension || own;
}

function whyUnusable(
  { main, extension, tracks }: Copy,
  platform: ProfilePlatform,
  { fileSystem, title }: { readonly fileSystem: FileSystem; readonly title: string },
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

/** Case is ignored, as sheets made on Windows require. */
function pathKey(folder: string, name: string): string {
  return `${folder}/${name}`.toLowerCase();
}
