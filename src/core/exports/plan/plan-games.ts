import type { Profile, ProfilePlatform } from '../profiles/profile.ts';
import { type Choice, chooseCopy } from './choose-copy.ts';
import { discOf, joinDiscs } from './disc-numbers.ts';
import type { ExportFile, ExportRelease } from './export-release.ts';
import type { LeftOut, PlannedFile, PlannedGame } from './planned-game.ts';
import type { Copy, Track } from './release-copy.ts';
import { safeName, splitName, TakenNames } from './safe-names.ts';

/** The options of a plan. */
export interface PlanOptions {
  readonly profile: Profile;
  readonly platform: ProfilePlatform;
  /** The names that are taken in the platform's folder; the plan adds its own. */
  readonly taken: TakenNames;
  readonly onLeftOut: (leftOut: LeftOut) => void;
  /** True if sheets are rewritten, so that the files that they name get the names of the DAT. */
  readonly rewritesSheets?: boolean;
  /** True if images are taken out of archives that the device does not open. */
  readonly unpacks?: boolean;
}

interface Disc {
  readonly release: ExportRelease;
  readonly copy: Copy;
}

/**
 * Yields the games that a device can run, in the order of the releases, which must be ordered by
 * name. If the device can open no file of a release, calls `onLeftOut` for each of its files.
 *
 * Names are those of the DAT. A file that a sheet names keeps the name in the sheet, unless sheets
 * are rewritten. The same releases in the same order get the same names.
 */
export async function* planGames(
  batches: AsyncIterable<readonly ExportRelease[]>,
  options: PlanOptions,
): AsyncGenerator<PlannedGame> {
  const { unpacks = false } = options;
  for await (const releases of joinDiscs(batches)) {
    const discs: Disc[] = [];
    for (const release of releases) {
      const choice = chooseCopy(release, options.platform, { ...options.profile, unpacks });
      if (choice.copy === null) reportAll(release, choice, options);
      else discs.push({ release, copy: choice.copy });
    }
    const [first, ...rest] = discs;
    if (first === undefined) continue;
    // An emulator changes discs only among images that it can open without unpacking them.
    const hasPlaylist =
      options.platform.hasPlaylists && rest.length > 0 && discs.every(({ copy }) => isImage(copy));
    if (hasPlaylist) yield planGame([first, ...rest], true, options);
    else for (const disc of discs) yield planGame([disc], false, options);
  }
}

function reportAll(
  release: ExportRelease,
  choice: Choice & { readonly copy: null },
  { platform, onLeftOut }: PlanOptions,
): void {
  const { id: releaseId, name } = release;
  for (const { file, ...reason } of choice.unusable) {
    onLeftOut({ platform: platform.name, release: name, releaseId, file: file.name, ...reason });
  }
}

function isImage({ main }: Copy): boolean {
  return main.inside === null;
}

function planGame(
  discs: readonly [Disc, ...Disc[]],
  hasPlaylist: boolean,
  options: PlanOptions,
): PlannedGame {
  const { profile, platform, taken } = options;
  const [{ release, copy }] = discs;
  const name = hasPlaylist ? (discOf(release.name)?.rest ?? release.name) : release.name;
  const own = ownNameOf(release, copy);
  const stem = hasPlaylist ? name : own.stem;
  const extension = hasPlaylist ? 'm3u' : own.extension;
  const inFolder = needsFolder(discs, hasPlaylist, options);
  const isFolderOfStem = inFolder && profile.gameFolder === 'stem';
  // The extension is part of the limit, so that the file in the folder has the folder's name.
  const folderStem = splitName(safeName(stem, extension, profile.fileSystem)).stem;
  const shown = isFolderOfStem ? taken.free(folderStem, '') : taken.free(stem, extension);
  taken.add(shown);
  const inside = inFolder ? new TakenNames(profile.fileSystem) : taken;
  const entryName = inFolder ? entryInFolder(shown, extension, profile) : shown;
  inside.add(entryName);
  const prefix = inFolder ? `${shown}/` : '';
  const files = discs.flatMap(({ release, copy }) => {
    const { stem, extension } = ownNameOf(release, copy);
    const main = hasPlaylist ? inside.free(stem, extension) : entryName;
    inside.add(main);
    return filesOf(copy, { main, prefix, inside, options });
  });
  return {
    platform,
    releases: [release, ...discs.slice(1).map((disc) => disc.release)],
    name,
    entry: prefix + entryName,
    shown,
    stem: inFolder ? shown : splitName(shown).stem,
    playlist: hasPlaylist ? playlistOf(files, discs, prefix) : null,
    files,
  };
}

/** Returns the files of a disc, the main one first. */
function filesOf(
  copy: Copy,
  place: { main: string; prefix: string; inside: TakenNames; options: PlanOptions },
): PlannedFile[] {
  const { main, prefix, inside, options } = place;
  const byFile = new Map<ExportFile, string>();
  const names = copy.tracks.map((track) => {
    const wanted = trackNameOf(track, copy, splitName(main).stem, options);
    const { stem, extension } = splitName(wanted);
    const isTaken = isRewritable(copy, options) && inside.has(wanted);
    const isNew = !track.isNamedAsSheet && (wanted !== track.name || isTaken);
    const name = byFile.get(track.file) ?? (isNew ? inside.free(stem, extension) : wanted);
    byFile.set(track.file, name);
    inside.add(topOf(name));
    return name;
  });
  const isRewritten = copy.tracks.some(
    ({ name, isNamedAsSheet }, index) => !isNamedAsSheet && names[index] !== name,
  );
  const tracks = [...byFile].map(([source, name]) => ({
    ...{ path: prefix + name, source },
    sheetNames: null,
    memberNames: null,
  }));
  const sheet = { path: prefix + main, source: copy.main };
  if (copy.main.member !== null && isRewritable(copy, options)) {
    const memberNames = copy.tracks.map(({ file }, index) => {
      return { from: file.name, to: names[index] ?? file.name };
    });
    return [{ ...sheet, sheetNames: null, memberNames }, ...tracks];
  }
  return [{ ...sheet, sheetNames: isRewritten ? names : null, memberNames: null }, ...tracks];
}

/**
 * Returns the name that a file of a sheet should have. `stem` is the sheet's name in the tree,
 * without the extension. A sheet that states no names, such as one of CloneCD, belongs to files
 * with the name of the sheet.
 */
function trackNameOf(
  { name, isNamedAsSheet, file }: Track,
  copy: Copy,
  stem: string,
  options: PlanOptions,
): string {
  if (isNamedAsSheet) return `${stem}.${splitName(name).extension}`;
  const { canonical, isExact } = file;
  if (!isRewritable(copy, options) || !isExact || canonical === null || !isPlain(canonical)) {
    return name;
  }
  // A sheet cannot state a quote in a name.
  const own = splitName(canonical.replaceAll('"', '_'));
  return safeName(own.stem, own.extension, options.profile.fileSystem);
}

/** Returns true if the sheet of a copy can be given other names of files. */
function isRewritable({ main }: Copy, { rewritesSheets = false }: PlanOptions): boolean {
  return rewritesSheets && ['cue', 'gdi'].includes(main.container);
}

/** Returns the name of the file in a folder that starts the game. */
function entryInFolder(folder: string, extension: string, profile: Profile): string {
  if (profile.gameFolder === 'entry') return folder;
  return safeName(folder, extension, profile.fileSystem);
}

/** Returns the lines of a playlist: the file of each disc that is opened, relative to the list. */
function playlistOf(
  files: readonly PlannedFile[],
  discs: readonly Disc[],
  prefix: string,
): readonly string[] {
  const mains = new Set(discs.map(({ copy }) => copy.main));
  return files
    .filter(({ source }) => mains.has(source))
    .map(({ path }) => path.slice(prefix.length));
}

/**
 * Returns the name that the DAT gives a copy. A file with the bytes of a ROM has the ROM's name.
 * Any other file is named after the only ROM, or else after the release.
 */
function ownNameOf(
  { name, roms }: ExportRelease,
  { main, extension }: Copy,
): { stem: string; extension: string } {
  const { canonical } = main;
  if (main.isExact && canonical !== null && isPlain(canonical)) {
    return { stem: splitName(canonical).stem, extension };
  }
  const [only, ...others] = roms;
  const isOnly = only !== undefined && others.length === 0 && isPlain(only.name);
  return { stem: isOnly ? splitName(only.name).stem : name, extension };
}

/** Returns false for names of ROMs in folders. */
function isPlain(name: string): boolean {
  return name !== '' && !/[/\\]/.test(name);
}

function needsFolder(discs: readonly Disc[], hasPlaylist: boolean, options: PlanOptions): boolean {
  const { profile, taken } = options;
  const files = discs.flatMap(({ copy }) => copy.tracks);
  const hasSeveral = hasPlaylist || files.length > 0;
  if (profile.gameFolderFor === 'several_files' && hasSeveral) return true;
  if (profile.gameFolderFor === 'playlists' && hasPlaylist) return true;
  return discs.some(({ release, copy }) => {
    const { stem } = ownNameOf(release, copy);
    const names = copy.tracks.map((track) => trackNameOf(track, copy, stem, options));
    return names.some((name) => !startsWith(name, stem) || taken.has(name));
  });
}

/** Returns true if a track is named after its disc, so that no other game has the same name. */
function startsWith(track: string, stem: string): boolean {
  return !track.includes('/') && track.toLowerCase().startsWith(stem.toLowerCase());
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}
