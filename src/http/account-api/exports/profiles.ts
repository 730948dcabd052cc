import { Type } from 'typebox';
import {
  fileSystems,
  metadataForms,
  type Profile,
} from '../../../core/exports/profiles/profile.ts';
import { route } from '../route.ts';

const anyOf = <T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });

const profileSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  placement: Type.String({ description: 'a sentence on where to put an export' }),
  based_on: Type.Union([Type.String(), Type.Null()]),
  own: Type.Boolean({ description: 'true for a profile of the data folder' }),
  file_system: anyOf(fileSystems),
  roms_path: Type.String({ description: 'the folder of all games on the device' }),
  metadata: Type.Union([anyOf(metadataForms), Type.Null()]),
  platforms: Type.Array(
    Type.Object({
      platform: Type.String({ description: "the name in libretro's database" }),
      folder: Type.String(),
      extensions: Type.Array(Type.String(), { description: 'without a dot; the best first' }),
      playlists: Type.Boolean({
        description: 'true if games of several discs get a playlist (.m3u)',
      }),
    }),
  ),
});

export const listProfiles = route({
  summary: 'The devices and front ends that a set can be exported for',
  response: Type.Object({ items: Type.Array(profileSchema) }),
  async handle({ parts: { profiles } }) {
    return { items: profiles.list().map(toProfile) };
  },
});

function toProfile(profile: Profile) {
  const { id, title, placement, basedOn, isOwn, fileSystem, romsPath, metadata } = profile;
  return {
    ...{ id, title, placement },
    based_on: basedOn,
    own: isOwn,
    file_system: fileSystem,
    roms_path: romsPath,
    metadata: metadata?.form ?? null,
    platforms: [...profile.platforms.values()].map((platform) => ({
      platform: platform.name,
      folder: platform.folder,
      extensions: platform.extensions,
      playlists: platform.hasPlaylists,
    })),
  };
}
