import { Type } from 'typebox';
import { notFound } from '../../../core/shared/errors.ts';
import { roleReaches } from '../../../core/shared/requests/role.ts';
import { credentialOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';
import { toArchive } from '../store/store.ts';

const releaseParams = Type.Object({ release_id: integerId });

export const listLibraryFiles = route({
  summary: 'The files of the library that a release was matched with, by name',
  params: releaseParams,
  response: Type.Object({ items: Type.Array(Type.Ref('LibraryFile')) }),
  failures: [notFound()],
  async handle({ parts: { releases, library }, params: { release_id }, request }) {
    await releases.mustExist(release_id);
    const files = await library.ofRelease(release_id);
    const isEditor = roleReaches(credentialOf(request).user.role, 'editor');
    return { items: files.map(({ path, ...file }) => (isEditor ? { ...file, path } : file)) };
  },
});

export const listArchives = route({
  summary: 'The archives that are named like a release, by name',
  params: releaseParams,
  response: Type.Object({ items: Type.Array(Type.Ref('Archive')) }),
  failures: [notFound()],
  async handle({ parts: { releases, store }, params: { release_id } }) {
    const { name, roms, sources } = await releases.getWhole(release_id);
    const found = await store.listMatching({
      titles: [name, ...sources.map((source) => source.name)],
      roms: roms.map((rom) => rom.name),
    });
    return { items: found.map(({ area, file }) => toArchive(file, area)) };
  },
});
