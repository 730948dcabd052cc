import { join } from 'node:path';
import { type BackupPart, backupParts, folderOf } from '../../core/backups/backup-parts.ts';
import type { FilesDestination, StoredCopy } from '../../core/backups/copies/ports.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import { localArea } from '../local/local-area.ts';
import { setFileTime } from '../local/set-time.ts';

/**
 * Returns the target of a copy that stores files in the data folder `data`. The folder contains no
 * other files, and an interrupted copy leaves only complete files. So no record of the copied files
 * is needed.
 */
export function filesInFolder(data: string): FilesDestination {
  const areaOf = (part: BackupPart) =>
    localArea({ folder: join(data, folderOf[part]), tmp: join(data, 'tmp') });
  const used = new Set<string>();
  const use = (part: BackupPart, { name }: StoredFile) => used.add(`${part}/${name}`);
  const there = (part: BackupPart, name: string, mtimeNs: bigint): StoredCopy => ({
    key: null,
    mtimeNs,
    async *bytes() {
      const file = await areaOf(part).open(name);
      if (file !== null) yield* file.stream();
    },
  });
  const withTime = async (part: BackupPart, { name, mtimeNs }: StoredFile) =>
    there(part, name, await setFileTime(join(data, folderOf[part], name), mtimeNs));
  return {
    name: data,
    hasObjects: false,
    async find(part, file) {
      use(part, file);
      const found = await areaOf(part).find(file.name);
      return found?.size === file.size ? withTime(part, file) : null;
    },
    async put(part, file, bytes) {
      const staged = await areaOf(part).stage(bytes);
      try {
        await staged.publish(file.name);
      } catch (error) {
        await staged.discard();
        throw error;
      }
      return withTime(part, file);
    },
    async removeUnused() {
      for (const part of backupParts) {
        const names: string[] = [];
        for await (const { name } of areaOf(part).list()) names.push(name);
        for (const name of names) if (!used.has(`${part}/${name}`)) await areaOf(part).remove(name);
      }
    },
    async end() {},
    async close() {},
  };
}
