import type { BackupFiles } from '../../core/backups/ports.ts';
import { TarWriter } from './tar-writer.ts';
import { writeAtomically } from './write-atomically.ts';

/** Implements `BackupFiles` for backups on the disks of this machine. */
export const localBackups: BackupFiles = {
  writeAtomically,
  create: (path) => TarWriter.create(path),
};
