import { baseName } from '../../core/imports/dat-intake.ts';
import type {
  FileReport,
  ImportOptions,
  ImportProgress,
  ImportReport,
} from '../../core/imports/imports.ts';
import type { Actor } from '../../core/shared/actor.ts';
import type { Catalog } from '../../wire.ts';
import type { Work } from './work.ts';

type ImportJobOptions = Pick<ImportOptions, 'system' | 'source' | 'prune' | 'dryRun'>;

/** `onFile` is told after each file. */
export function importWork(
  { imports }: Pick<Catalog, 'imports'>,
  paths: readonly string[],
  options: ImportJobOptions & { onFile?: (report: FileReport) => void },
  actor: Actor,
): Work<ImportProgress, ImportReport> {
  const { onFile = () => undefined } = options;
  return {
    run: (watch) => imports.importPaths(paths, { ...options, ...watch, onFile }, actor),
    progressOf: ({ file, bytesRead, bytes, written, releases }) => {
      const name = baseName(file);
      return releases === 0
        ? { phase: 'read', done: bytesRead, total: bytes, unit: 'bytes', name }
        : { phase: 'write', done: written, total: releases, unit: 'releases', name };
    },
  };
}
