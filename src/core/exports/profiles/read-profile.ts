import { printable } from '../../shared/text.ts';
import { InvalidProfile } from './invalid-profile.ts';
import {
  type ArtPlace,
  artFormats,
  artKinds,
  fileSystems,
  folderNames,
  folderUses,
  metadataForms,
  type PathField,
  type Profile,
  type ProfilePlatform,
} from './profile.ts';
import { Fields } from './read-fields.ts';

/** Limits of a profile, so that a wrong file cannot use much memory. */
const limits = { platforms: 1_000, extensions: 100, art: 10, pixels: 4_096 };

const perPlatform: readonly PathField[] = ['platform', 'folder', 'art_folder', 'set'];
const perGame: readonly PathField[] = [...perPlatform, 'stem', 'file', 'label'];

/** The JSON of a profile, before its fields are checked. */
export type ProfileJson = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON of a profile that changes another one: fields replace those of the base, and
 * each platform is merged field by field. A platform that is null is removed.
 */
export function mergeProfiles(base: ProfileJson, change: ProfileJson): ProfileJson {
  const own = change.platforms;
  if (!isObject(own) || !isObject(base.platforms)) return { ...base, ...change };
  const platforms: Record<string, unknown> = { ...base.platforms };
  for (const [name, platform] of Object.entries(own)) {
    const before = platforms[name];
    if (platform === null) delete platforms[name];
    else if (isObject(platform) && isObject(before)) platforms[name] = { ...before, ...platform };
    else platforms[name] = platform;
  }
  return { ...base, ...change, platforms };
}

/** Reads a profile. Throws `InvalidProfile`, which names the first wrong field. */
export function readProfile(
  json: ProfileJson,
  { id, isOwn }: { id: string; isOwn: boolean },
): Profile {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id)) {
    throw new InvalidProfile('its name must have lower-case letters, digits and "-" only');
  }
  const fields = new Fields(json);
  const profile = {
    id,
    isOwn,
    basedOn: fields.text('based_on', { fallback: '' }) || null,
    title: fields.text('title'),
    placement: fields.text('placement', { fallback: '' }),
    fileSystem: fields.oneOf('file_system', fileSystems, 'posix'),
    romsPath: fields.text('roms_path', { fallback: '/roms' }),
    tree: fields.path('tree', perPlatform),
    gameFolder: fields.oneOf('game_folder', folderNames, 'stem'),
    gameFolderFor: fields.oneOf('game_folder_for', folderUses, 'clashes'),
    metadata: readMetadata(fields),
    collection: fields.has('collection') ? fields.path('collection', ['set']) : null,
    art: fields.has('art') ? fields.list('art', limits.art).map(readArt) : [],
    platforms: readPlatforms(fields),
  };
  fields.refuseOthers(['$schema', 'comment']);
  return profile;
}

function readMetadata(fields: Fields): Profile['metadata'] {
  if (!fields.has('metadata')) return null;
  const own = fields.object('metadata');
  const metadata = {
    form: own.oneOf('form', metadataForms),
    path: own.path('path', perPlatform),
  };
  own.refuseOthers();
  return metadata;
}

function readArt(fields: Fields): ArtPlace {
  const art = {
    kind: fields.oneOf('kind', artKinds),
    path: fields.path('path', perGame),
    format: fields.oneOf('format', artFormats),
    maxWidth: fields.number('max_width', limits.pixels),
    maxHeight: fields.number('max_height', limits.pixels),
    elements: fields.has('elements') ? fields.words('elements', limits.art, /^[a-z]{1,40}$/) : [],
  };
  fields.refuseOthers();
  return art;
}

function readPlatforms(fields: Fields): Profile['platforms'] {
  const platforms = fields.object('platforms');
  const names = platforms.names(limits.platforms);
  const wrong = names.find((name) => /[/\\\x00-\x1f\x7f]/.test(name) || /^\.{1,2}$/.test(name));
  // The name is a part of paths.
  if (wrong !== undefined) {
    throw new InvalidProfile(`platforms: "${printable(wrong)}" cannot be part of a path`);
  }
  return new Map(names.map((name) => [name, readPlatform(name, platforms.object(name))]));
}

function readPlatform(name: string, fields: Fields): ProfilePlatform {
  const folder = fields.path('folder', []);
  const title = fields.text('title', { fallback: name });
  const platform = {
    name,
    folder,
    artFolder: fields.has('art_folder') ? fields.path('art_folder', []) : folder,
    extensions: fields.words('extensions', limits.extensions, /^[a-z0-9]{1,16}$/),
    hasPlaylists: fields.flag('playlists'),
    title,
    shortName: fields.text('short_name', { fallback: folder }),
    launch: fields.text('launch', { fallback: '' }),
  };
  fields.refuseOthers();
  return platform;
}

function isObject(value: unknown): value is ProfileJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
