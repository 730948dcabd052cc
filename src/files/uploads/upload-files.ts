import { lstat, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { damagedUpload } from '../../core/shared/errors.ts';
import type { UploadFiles } from '../../core/uploads/ports.ts';
import type { UploadPlace, UploadSystem } from '../../core/uploads/upload.ts';
import { hasSpaceFor } from '../free-bytes.ts';
import { entriesOf } from '../local/count-tree.ts';
import { asStorageError, isGone } from '../local/disk-error.ts';
import { areaTmpFolder, tmpFolderFor } from '../local/local-area.ts';
import { openFile } from '../local/open-file.ts';
import { createPublisher } from '../local/publisher.ts';
import type { OwnFiles } from '../own-files.ts';
import { appendTo } from './append.ts';

/**
 * Name of the folder for uploads, in `tmp` and in an area's own `tmp`. `sweepTmp` ignores this
 * folder.
 */
export const uploadsFolder = 'uploads';

/**
 * Stores each upload as `<tmp>/uploads/<folder>/<filename>`. If the upload's area is on another
 * file system than `tmp`, the area's own `tmp` is used, so that the file can be renamed. `areas`
 * are the folders of the store.
 */
export function localUploads(options: {
  tmp: string;
  areas: Readonly<Record<'games' | 'videos', string>>;
  own?: OwnFiles;
}): UploadFiles {
  const { tmp, areas, own } = options;
  const tops = [tmp, areaTmpFolder(areas.games), areaTmpFolder(areas.videos)].map((each) =>
    join(each, uploadsFolder),
  );
  const topFor = async (system: UploadSystem) =>
    join(system === 'dats' ? tmp : await tmpFolderFor(areas[system], tmp), uploadsFolder);
  const find = async (place: UploadPlace) => {
    for (const top of tops) {
      const path = join(top, place.folder, place.filename);
      if (await isFile(path)) return path;
    }
    return null;
  };
  return {
    hasSpaceFor: async (system, bytes) => hasSpaceFor(await topFor(system), bytes),
    async append(place, offset, bytes, watch) {
      const known = offset > 0 ? await find(place) : null;
      const path = known ?? join(await topFor(place.system), place.folder, place.filename);
      await appendTo(path, offset, bytes, watch);
    },
    has: async (place) => (await find(place)) !== null,
    async open(place) {
      const path = await find(place);
      return path === null ? null : openFile(dirname(path), place.filename);
    },
    async fetch(place) {
      const path = await find(place);
      return path === null ? null : { path, async drop() {} };
    },
    async stage(place, version) {
      const staged = await find(place);
      if (staged === null || (await lstat(staged)).size !== version.size) throw damagedUpload();
      let takeBack = async () => {};
      return {
        ...version,
        async publish(name) {
          const path = await find(place);
          if (path === null) throw damagedUpload();
          if (place.system === 'dats') throw new Error('a DAT is no file of an area');
          const file = createPublisher(path, areas[place.system], own);
          takeBack = file.takeBack;
          return file.publish(name).catch((error: unknown) => {
            throw asStorageError(error);
          });
        },
        takeBack: () => takeBack(),
        async discard() {},
      };
    },
    async remove({ folder }) {
      for (const top of tops) await rm(join(top, folder), { recursive: true, force: true });
    },
    async listFolders() {
      const folders: string[] = [];
      for (const top of tops) for await (const { name } of entriesOf(top)) folders.push(name);
      return folders;
    },
  };
}

/**
 * Returns true if the path is a regular file. Returns false for a link, because an upload is never
 * a link.
 */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
