import type { ProfilePlatform } from '../profiles/profile.ts';
import type { ExportFile, ExportRelease } from './export-release.ts';

/** A file in the planned tree. */
export interface PlannedFile {
  /** Path below the folder of the platform. */
  readonly path: string;
  readonly source: ExportFile;
  /**
   * The names of the files of a sheet in the tree, in the order of the sheet. Null for a sheet that
   * needs no change, and for all other files.
   */
  readonly sheetNames: readonly string[] | null;
  /**
   * The names of the files of a sheet in an archive: those in the archive and those in the tree.
   * Null for all other files. The sheet itself is not read before it is written.
   */
  readonly memberNames: readonly MemberName[] | null;
}

/** The name of a file in an archive, without folders, and its name in the tree. */
export interface MemberName {
  readonly from: string;
  readonly to: string;
}

/** A game as a device lists it: one release, or several discs with a playlist. */
export interface PlannedGame {
  readonly platform: ProfilePlatform;
  /** The releases: one, or the discs in order. */
  readonly releases: readonly [ExportRelease, ...ExportRelease[]];
  /** The name of the game, without the number of the disc if there is a playlist. */
  readonly name: string;
  /** The path of the file that starts the game, below the folder of the platform. */
  readonly entry: string;
  /**
   * The name that a front end lists: that of the file, or of the game's own folder. The game's
   * pictures are named after it.
   */
  readonly shown: string;
  /** `shown` without its extension; the same as `shown` for a folder. */
  readonly stem: string;
  /** The lines of the playlist, which are paths relative to it; null if there is none. */
  readonly playlist: readonly string[] | null;
  readonly files: readonly PlannedFile[];
}

/** A file that is not part of the tree, with the reason. */
export interface LeftOut {
  readonly platform: string;
  readonly release: string;
  readonly releaseId: number;
  readonly file: string;
  /** A sentence. */
  readonly why: string;
  /** True for an archive with an image that the device can open; see `PlanOptions.unpacks`. */
  readonly isUnpackable: boolean;
}
