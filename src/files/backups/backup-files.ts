import type { BackupFiles } from '../../core/backups/ports.ts';
import { TarWriter } from './tar-writer.ts';
import { writeAside } from './write-aside.ts';

/** Implements `BackupFiles` for backups on the disks of this machine. */
export const localBackups: BackupFiles = {
  writeAside,
  create: (path) => TarWriter.create(path),
};
