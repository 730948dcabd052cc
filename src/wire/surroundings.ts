import { join } from 'node:path';
import type { DoctorEnvironment } from '../core/doctor/ports.ts';
import { localBackupFolder } from '../files/backups/backup-folder.ts';
import { examineReadableFolder, examineWritableFolder } from '../files/examine-folder.ts';
import { findHost } from '../files/host.ts';
import { probeServer } from '../remote/probe-server.ts';
import type { Config } from '../settings/config.ts';
import { examineDatabase, examinePostgres } from '../sql/engine/examine-database.ts';
import { checkFilesBucket } from './stored-files.ts';

/** Returns functions that examine the environment of a catalogue without opening the catalogue. */
export function surroundingsOf(config: Config): DoctorEnvironment {
  const { data } = config;
  return {
    node: process.versions.node,
    now: () => Date.now(),
    inspectData: () => examineWritableFolder(data),
    inspectDatabase: () =>
      config.database === ''
        ? examineDatabase(join(data, 'catalog.db'))
        : examinePostgres(config.database, () => findHost(data)),
    inspectRoot: examineReadableFolder,
    inspectFiles: () =>
      checkFilesBucket(config).then(
        () => null,
        (error: Error) => error.message,
      ),
    inspectBackups: (folder) =>
      localBackupFolder(folder, data)
        .check()
        .then(
          () => null,
          (error: Error) => error.message,
        ),
    probeServer,
  };
}
