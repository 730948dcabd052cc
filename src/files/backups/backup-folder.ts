import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BackupFolder } from '../../core/backups/ports.ts';
import { usageError } from '../../core/shared/errors.ts';
import { systemReason } from '../../core/shared/system-reason.ts';
import { stageFile } from '../local/stage-file.ts';

/**
 * Returns the `BackupFolder` for the backups of the data folder `data` in `folder`. A backup is
 * named `catalog-<mark>-20261122T093012Z.tar`. The mark identifies the data folder; the time is in
 * UTC. Other files in `folder` are never changed.
 */
export function localBackupFolder(folder: string, data: string): BackupFolder {
  const mark = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 8);
  const own = new RegExp(
    `^catalog-${mark}-(\\d{4})(\\d\\d)(\\d\\d)T(\\d\\d)(\\d\\d)(\\d\\d)Z\\.tar$`,
  );
  const fileName = (ms: number) => {
    const time = new Date(ms).toISOString().replace(/\.\d+|[-:]/g, '');
    return `catalog-${mark}-${time}.tar`;
  };
  const newestFirst = async () => {
    const names = (await readdir(folder)).filter((name) => own.test(name));
    return names.sort().reverse();
  };
  const isUntil = (name: string, now: number) => name <= fileName(now);
  return {
    async check() {
      try {
        await newestFirst(); // a missing folder is not created: its disk may not be mounted
        const tried = await stageFile({ folder, tmp: folder }, noBytes());
        await tried.discard();
      } catch (error) {
        throw usageError(`--backup-to: cannot write backups to ${folder}: ${systemReason(error)}`);
      }
    },
    async newest(now) {
      const name = (await newestFirst()).find((one) => isUntil(one, now)) ?? '';
      const [, ...parts] = own.exec(name) ?? [];
      const [year, month, day, ...time] = parts;
      return parts.length === 0 ? null : Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`);
    },
    fileAt: (ms) => join(folder, fileName(ms)),
    async keepNewest(count, now) {
      const names = await newestFirst();
      const inOrder = [
        ...names.filter((name) => isUntil(name, now)),
        ...names.filter((name) => !isUntil(name, now)),
      ];
      for (const name of inOrder.slice(count)) await rm(join(folder, name));
    },
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {
  // Yields no bytes: `check` only tests whether a file can be created and synced.
}
