import { Limiter } from '../shared/concurrency/limiter.ts';
import { changedMeanwhile } from '../shared/errors.ts';
import { oneChunk } from '../shared/files/one-chunk.ts';
import { currentClient } from '../shared/requests/client-context.ts';
import type { LeftOut } from './plan/planned-game.ts';
import { safeName, TakenNames } from './plan/safe-names.ts';
import { type ExportedPlatform, exportPlatforms, pathsOf } from './platform-export.ts';
import type {
  ConvertPicture,
  ExportCovers,
  ExportMember,
  ExportRecords,
  OpenedSet,
  PictureSource,
  TreePart,
  WriteExport,
  ZipExport,
} from './ports.ts';
import { findPlatform } from './profiles/platform-names.ts';
import { type FileSystem, fileSystems, fillPath, type Profile } from './profiles/profile.ts';
import type { Profiles } from './profiles/profiles.ts';
import { collectionLines } from './write/collection.ts';
import { leftOutJson } from './write/left-out.ts';
import { inPieces } from './write/pieces.ts';

export interface ExportRequest {
  readonly set: OpenedSet;
  /** The id of a profile. */
  readonly profile: string;
  /** The folder of all games on the device; "" for that of the profile. */
  readonly romsPath: string;
}

/** A part of the list of files that an export leaves out. */
export interface LeftOutPage {
  readonly profile: string;
  /** Number of games that the export contains. */
  readonly games: number;
  /** Number of releases of the set without a file in the library. */
  readonly missing: number;
  /** Number of all files that are left out. */
  readonly total: number;
  readonly items: readonly LeftOut[];
}

export interface TreeRequest extends Pick<ExportRequest, 'set' | 'profile'> {
  readonly fileSystem: FileSystem;
  readonly onLeftOut: (leftOut: LeftOut) => void;
  /** True to take images out of archives that the device does not open. */
  readonly unpacks?: boolean;
}

/** An export that is written while its files are read. */
export interface Export {
  /** A file name for the export, without an extension. */
  readonly name: string;
  readonly members: AsyncIterable<ExportMember>;
}

/**
 * Maximum number of zips that are sent at the same time. The names of all files of a zip stay in
 * memory until it is sent.
 */
const maxZips = 4;
/** Limits for calls of `leftOut`, each of which reads all releases of a set. */
const previews = { atOnce: 2, maxWaiting: 20 };

/**
 * Exports the files that front ends and devices need to show the games of a set. Only a tree
 * contains the games themselves.
 */
export class Exports {
  readonly #profiles: Profiles;
  readonly #records: ExportRecords;
  readonly #covers: ExportCovers;
  readonly #convertPicture: ConvertPicture;
  readonly #zip: ZipExport;
  readonly #write: WriteExport;
  readonly #zips = new Limiter(maxZips, { maxWaiting: 0 });
  readonly #previews = new Limiter(previews.atOnce, { maxWaiting: previews.maxWaiting });

  constructor(parts: {
    profiles: Profiles;
    records: ExportRecords;
    covers: ExportCovers;
    convertPicture: ConvertPicture;
    zip: ZipExport;
    write: WriteExport;
  }) {
    this.#profiles = parts.profiles;
    this.#records = parts.records;
    this.#covers = parts.covers;
    this.#convertPicture = parts.convertPicture;
    this.#zip = parts.zip;
    this.#write = parts.write;
  }

  /** Returns an export as a zip, with a name for the file. Throws `no such profile`. */
  zip(request: ExportRequest): {
    readonly name: string;
    readonly bytes: AsyncIterable<Uint8Array>;
  } {
    const { name, members } = this.open(request);
    return { name: `${name}.zip`, bytes: this.#limited(members) };
  }

  /** Yields a zip. Throws busy() if too many are being sent. */
  async *#limited(members: AsyncIterable<ExportMember>): AsyncGenerator<Uint8Array> {
    const leave = await this.#zips.acquire();
    try {
      yield* this.#zip(members);
    } finally {
      leave();
    }
  }

  /**
   * Writes an export to a zip, if the path ends in `.zip`, else to an empty or new folder. Returns
   * the number of its files. Throws `no such profile`, or refused() if the path cannot be written.
   */
  write(request: ExportRequest, path: string, signal: AbortSignal): Promise<number> {
    return this.#write(this.open(request).members, path, signal);
  }

  /** Starts an export of a set for a device. Throws `no such profile`. */
  open({ set, profile: id, romsPath }: ExportRequest): Export {
    const profile = this.#profiles.get(id);
    const name = `${safeName(set.name, '', 'exfat')} (${profile.id})`;
    return { name, members: this.#members(set, profile, romsPath) };
  }

  /**
   * Yields the files of a set on a device, the games included. The games of a platform come after
   * its other files. The stricter limits of `fileSystem` and the profile's file system apply.
   * Throws `no such profile`.
   */
  tree(request: TreeRequest): AsyncGenerator<TreePart> {
    const { set, profile: id, fileSystem, onLeftOut, unpacks = false } = request;
    const given = this.#profiles.get(id);
    const profile = { ...given, fileSystem: stricterOf(given.fileSystem, fileSystem) };
    return this.#parts(set, profile, { romsPath: '', onLeftOut, withGames: true, unpacks });
  }

  /**
   * Returns a picture of a tree, or null if its cover cannot be read. Throws `changed meanwhile` if
   * the release has another cover by now.
   */
  async readPicture({ releaseId, tag, place }: PictureSource): Promise<Uint8Array | null> {
    const bytes = await this.#covers.read(releaseId);
    const tags = await this.#covers.tagsOf([releaseId]);
    if (tags.get(releaseId) !== tag) throw changedMeanwhile();
    return bytes && this.#convertPicture(bytes, place);
  }

  /**
   * Returns what an export leaves out, without writing the export. Throws `no such profile`, or
   * busy() if too many clients wait for such a list.
   */
  async leftOut(
    { set, profile: id }: Pick<ExportRequest, 'set' | 'profile'>,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<LeftOutPage> {
    const profile = { ...this.#profiles.get(id), art: [], metadata: null };
    const { signal } = currentClient() ?? {};
    const read = async () => {
      const items: LeftOut[] = [];
      const counts = { games: 0, total: 0 };
      const onLeftOut = (one: LeftOut) => {
        signal?.throwIfAborted();
        if (counts.total >= offset && items.length < limit) items.push(one);
        counts.total += 1;
      };
      const onGame = () => {
        signal?.throwIfAborted();
        counts.games += 1;
      };
      const options = { romsPath: '', onLeftOut, onGame, withGames: false };
      for await (const _ of this.#parts(set, profile, options));
      return { profile: profile.id, ...counts, missing: await set.countMissing(), items };
    };
    return this.#previews.run(read, { signal });
  }

  async *#members(
    set: OpenedSet,
    profile: Profile,
    romsPath: string,
  ): AsyncGenerator<ExportMember> {
    const leftOut: LeftOut[] = [];
    const onLeftOut = (one: LeftOut) => void leftOut.push(one);
    const options = { romsPath, onLeftOut, withGames: false };
    for await (const part of this.#parts(set, profile, options)) {
      if (part.kind === 'text') yield { path: part.path, isText: true, content: part.content };
      if (part.kind !== 'picture') continue;
      const bytes = await part.read();
      if (bytes !== null) yield { path: part.path, isText: false, content: oneChunk(bytes) };
    }
    const report = {
      set: set.name,
      profile: profile.id,
      missing: await set.countMissing(),
      leftOut,
    };
    yield { path: 'left_out.json', isText: true, content: inPieces(leftOutJson(report)) };
  }

  /**
   * Yields the files of all platforms: metadata, playlists, pictures, and, with `withGames`, games.
   */
  async *#parts(
    { name, ...rest }: OpenedSet,
    profile: Profile,
    options: {
      readonly romsPath: string;
      readonly onLeftOut: (leftOut: LeftOut) => void;
      readonly onGame?: () => void;
      readonly withGames: boolean;
      readonly unpacks?: boolean;
    },
  ): AsyncGenerator<TreePart> {
    const { romsPath, onLeftOut, onGame, withGames, unpacks = false } = options;
    const set = { ...rest, name: safeName(name, '', 'exfat') };
    const listed: { folder: string; shown: string }[] = [];
    const games: (TreePart & { kind: 'game' })[] = [];
    const { groups, unknown } = groupPlatforms(await set.platforms(), profile, set);
    const takenByFolder = new Map<string, TakenNames>();
    const drawnPaths = new Set<string>();
    for (const platforms of groups) {
      const folder = platforms[0]?.platform.folder.toLowerCase() ?? '';
      const taken = takenByFolder.get(folder) ?? new TakenNames(profile.fileSystem);
      takenByFolder.set(folder, taken);
      yield* exportPlatforms({
        ...{ set, profile, platforms, taken, drawnPaths, onLeftOut },
        rewritesSheets: withGames,
        unpacks,
        romsPath: romsPath === '' ? profile.romsPath : romsPath,
        records: this.#records,
        covers: this.#covers,
        convertPicture: this.#convertPicture,
        onGame({ platform, shown, files }, tree) {
          onGame?.();
          if (profile.collection !== null) listed.push({ folder: platform.folder, shown });
          if (!withGames) return;
          for (const { path, source, ...names } of files) {
            games.push({ kind: 'game', path: `${tree}/${path}`, file: source, ...names });
          }
        },
      });
      yield* games.splice(0);
    }
    for (const platform of unknown) await this.#leaveOut(platform, set, profile, onLeftOut);
    if (profile.collection !== null && listed.length > 0) {
      const path = fillPath(profile.collection, { set: set.name });
      yield { kind: 'text', path, content: inPieces(collectionLines(listed)), list: null };
    }
  }

  /** Reports all files of a platform that the device does not play. */
  async #leaveOut(
    platform: string,
    set: OpenedSet,
    { title }: Profile,
    onLeftOut: (leftOut: LeftOut) => void,
  ): Promise<void> {
    const why = `${title} has no folder for ${platform}`;
    for await (const batch of set.releases(platform)) {
      for (const { id, name, files } of await this.#records.describe(batch.map(({ id }) => id))) {
        for (const file of files) {
          const names = { platform, release: name, releaseId: id, file: file.name };
          onLeftOut({ ...names, why, isUnpackable: false });
        }
      }
    }
  }
}

/**
 * Groups the platforms that share a metadata file, or a folder if there is no metadata. `unknown`
 * contains the platforms that the device does not play.
 */
function groupPlatforms(
  names: readonly string[],
  profile: Profile,
  set: OpenedSet,
): { groups: readonly (readonly ExportedPlatform[])[]; unknown: readonly string[] } {
  const groups = new Map<string, ExportedPlatform[]>();
  const unknown: string[] = [];
  for (const name of names) {
    const platform = findPlatform(profile.platforms, name);
    if (platform === undefined) {
      unknown.push(name);
      continue;
    }
    const { tree, metadata } = pathsOf({ profile, set }, platform);
    const key = metadata ?? tree;
    groups.set(key, [...(groups.get(key) ?? []), { name, platform }]);
  }
  return { groups: [...groups.values()], unknown };
}

/** Returns the file system with the stricter limits. `fileSystems` is ordered by strictness. */
function stricterOf(one: FileSystem, other: FileSystem): FileSystem {
  return fileSystems.indexOf(one) > fileSystems.indexOf(other) ? one : other;
}
