import { oneChunk } from '../shared/files/one-chunk.ts';
import { planGames } from './plan/plan-games.ts';
import type { LeftOut, PlannedGame } from './plan/planned-game.ts';
import { maxNameBytes, type TakenNames } from './plan/safe-names.ts';
import type {
  ConvertPicture,
  ExportCovers,
  ExportRecords,
  OpenedSet,
  TreeList,
  TreePart,
} from './ports.ts';
import { type ArtPlace, fillPath, type Profile, type ProfilePlatform } from './profiles/profile.ts';
import { discList } from './write/disc-list.ts';
import { batoceraGamelist, esdeGamelist } from './write/gamelist.ts';
import { pegasusMetadata } from './write/pegasus.ts';
import { inPieces } from './write/pieces.ts';
import { playlistBase, retroarchPlaylist } from './write/playlist.ts';
import { retroarchLabel, retroarchPictureName } from './write/retroarch-names.ts';

/** A platform of the catalogue, with its data in the profile. */
export interface ExportedPlatform {
  /** The platform's name in the catalogue. */
  readonly name: string;
  readonly platform: ProfilePlatform;
}

export interface PlatformExport {
  readonly set: OpenedSet;
  readonly profile: Profile;
  /** The platforms with the same metadata file, at least one. */
  readonly platforms: readonly ExportedPlatform[];
  readonly taken: TakenNames;
  /** The paths of the pictures so far, so that none is written twice. */
  readonly drawnPaths: Set<string>;
  readonly romsPath: string;
  /** True if the games are exported too, so that their sheets can be rewritten. */
  readonly rewritesSheets: boolean;
  /** True if images are taken out of archives that the device does not open. */
  readonly unpacks: boolean;
  readonly records: ExportRecords;
  readonly covers: ExportCovers;
  readonly convertPicture: ConvertPicture;
  readonly onLeftOut: (leftOut: LeftOut) => void;
  /** Called with each game and the path of its folder, before the metadata of the game is read. */
  readonly onGame: (game: PlannedGame, tree: string) => void;
}

/** A picture of a game, with its path in the export. */
interface Picture {
  readonly path: string;
  readonly releaseId: number;
  /** The tag of the cover. */
  readonly tag: string;
  readonly place: ArtPlace;
}

/** A playlist of discs: its path, and the paths in it. */
interface PlayList {
  readonly path: string;
  readonly paths: readonly string[];
}

interface DrawnGame {
  readonly game: PlannedGame;
  readonly pictures: readonly Picture[];
}

/**
 * Yields the files of some platforms that share one metadata file: the metadata first, then the
 * playlists of discs, then the pictures. The releases are read once. The names of the later files
 * stay in memory until they are written.
 */
export async function* exportPlatforms(parts: PlatformExport): AsyncGenerator<TreePart> {
  const lists: PlayList[] = [];
  const pictures: Picture[] = [];
  const [first] = parts.platforms;
  if (first === undefined) return;
  const games = plannedGames(parts, (game, drawn) => {
    const tree = pathsOf(parts, game.platform).tree;
    if (game.playlist !== null) lists.push({ path: `${tree}/${game.entry}`, paths: game.playlist });
    pictures.push(...drawn);
    parts.onGame(game, tree);
  });
  try {
    yield* filesOf(parts, first, games, lists, pictures);
  } finally {
    await games.return(undefined); // the consumer may have stopped before the first game
  }
}

async function* filesOf(
  parts: PlatformExport,
  first: ExportedPlatform,
  games: AsyncGenerator<DrawnGame>,
  lists: PlayList[],
  pictures: Picture[],
): AsyncGenerator<TreePart> {
  const next = await games.next();
  if (next.done) return;
  const all = startingWith(next.value, games);
  const path = parts.profile.metadata && pathsOf(parts, first.platform).metadata;
  if (path === null) for await (const _ of all);
  else {
    const content = inPieces(metadataOf(all, parts, first.platform));
    yield { kind: 'text', path, content, list: listOf(parts, first.platform) };
  }
  for (const { path: at, paths } of lists.splice(0)) {
    yield { kind: 'text', path: at, content: oneChunk(discList(paths)), list: null };
  }
  for (const { path, releaseId, tag, place } of pictures.splice(0)) {
    const { format, maxWidth, maxHeight } = place;
    yield {
      kind: 'picture',
      path,
      version: `${tag} ${format} ${maxWidth}x${maxHeight}`,
      source: { releaseId, tag, place },
      async read() {
        const bytes = await parts.covers.read(releaseId);
        return bytes && parts.convertPicture(bytes, place);
      },
    };
  }
}

/** Returns the list to merge. Returns null if players do not change this form of metadata. */
function listOf(parts: PlatformExport, platform: ProfilePlatform): TreeList | null {
  const { tree } = pathsOf(parts, platform);
  switch (parts.profile.metadata?.form) {
    case 'es-de':
    case 'batocera':
      return { form: 'gamelist', tree, names: [] };
    case 'retroarch':
      return { form: 'playlist', tree, names: [playlistBase(parts.romsPath), platform.folder] };
    default:
      return null;
  }
}

/** Yields the games of all platforms, and calls `onGame` for each before it is yielded. */
async function* plannedGames(
  parts: PlatformExport,
  onGame: (game: PlannedGame, pictures: readonly Picture[]) => void,
): AsyncGenerator<DrawnGame> {
  const { set, profile, taken, drawnPaths, onLeftOut, rewritesSheets, unpacks } = parts;
  for (const { name, platform } of parts.platforms) {
    const tags = new Map<number, string>();
    const releases = describedReleases(set.releases(name), parts, tags);
    const options = { profile, platform, taken, onLeftOut, rewritesSheets, unpacks };
    for await (const game of planGames(releases, options)) {
      const covered = game.releases.find(({ id }) => tags.has(id));
      const cover = covered && { releaseId: covered.id, tag: tags.get(covered.id) ?? '' };
      for (const { id } of game.releases) tags.delete(id);
      const pictures = cover === undefined ? [] : picturesOf(game, cover, parts);
      const drawn = pictures.filter(({ path }) => !drawnPaths.has(path));
      for (const { path } of drawn) drawnPaths.add(path);
      onGame(game, drawn);
      yield { game, pictures };
    }
  }
}

async function* describedReleases(
  batches: ReturnType<OpenedSet['releases']>,
  { records, covers, profile }: PlatformExport,
  tags: Map<number, string>,
) {
  for await (const batch of batches) {
    const ids = batch.map(({ id }) => id);
    if (profile.art.length > 0) {
      for (const [id, tag] of await covers.tagsOf(ids)) tags.set(id, tag);
    }
    yield await records.describe(ids);
  }
}

function picturesOf(
  game: PlannedGame,
  cover: Pick<Picture, 'releaseId' | 'tag'>,
  parts: PlatformExport,
): Picture[] {
  return parts.profile.art
    .map((place) => ({ path: artPath(place, game, parts), ...cover, place }))
    .filter(({ path }) => path.split('/').every((name) => Buffer.byteLength(name) <= maxNameBytes));
}

function artPath(place: ArtPlace, game: PlannedGame, { set }: PlatformExport): string {
  return fillPath(place.path, {
    ...valuesOf(game.platform, set),
    stem: game.stem,
    file: game.shown,
    label: retroarchPictureName(retroarchLabel(game)),
  });
}

function metadataOf(
  games: AsyncIterable<DrawnGame>,
  parts: PlatformExport,
  platform: ProfilePlatform,
): AsyncIterable<string> {
  const { profile, romsPath } = parts;
  const { tree } = pathsOf(parts, platform);
  const inTree = (path: string) =>
    path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : path;
  switch (profile.metadata?.form) {
    case 'batocera':
      return batoceraGamelist(
        mapped(games, ({ game, pictures }) => ({
          game,
          pictures: pictures.flatMap(({ path, place }) =>
            place.elements.map((element) => ({ element, path: inTree(path) })),
          ),
        })),
      );
    case 'pegasus':
      return pegasusMetadata(
        mapped(games, ({ game, pictures }) => ({
          game,
          pictures: pictures.map(({ path }) => inTree(path)),
        })),
        platform,
      );
    case 'retroarch': {
      const playlist = platform.name;
      return retroarchPlaylist(
        mapped(games, ({ game }) => game),
        { playlist, folder: platform.folder, romsPath },
      );
    }
    default:
      return esdeGamelist(mapped(games, ({ game }) => ({ game, pictures: [] })));
  }
}

/** Returns the paths of a platform's files in the export. */
export function pathsOf(
  { profile, set }: { readonly profile: Profile; readonly set: Pick<OpenedSet, 'name'> },
  platform: ProfilePlatform,
): { readonly tree: string; readonly metadata: string | null } {
  const values = valuesOf(platform, set);
  const metadata = profile.metadata === null ? null : fillPath(profile.metadata.path, values);
  return { tree: fillPath(profile.tree, values), metadata };
}

function valuesOf(
  { name, folder, artFolder }: ProfilePlatform,
  { name: set }: Pick<OpenedSet, 'name'>,
) {
  return { platform: name, folder, art_folder: artFolder, set };
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* mapped<T, R>(items: AsyncIterable<T>, of: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield of(item);
}
