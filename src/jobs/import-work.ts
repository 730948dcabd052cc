import { baseName } from '../core/imports/dat-intake.ts';
import type {
  FileReport,
  ImportOptions,
  ImportProgress,
  ImportReport,
  NamedPath,
} from '../core/imports/imports.ts';
import type { ImportSamples } from '../core/imports/ports.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/** Maximum number of names of each kind that a job's report lists per file. */
const maxSamples = 10;

/**
 * A preview is a separate kind of job, so that a preview and an import may run concurrently. A
 * preview changes nothing.
 */
export type ImportKind = 'import' | 'import-preview';

type ImportJobOptions = Pick<ImportOptions, 'system' | 'source' | 'prune'>;

/** The work of an import or a preview. */
export type ImportWork<Kind extends ImportKind> = Omit<
  Work<ImportKind, ImportProgress, ImportReport>,
  'kind'
> & { readonly kind: Kind };

/** Returns the work that imports DATs. `onFile` is called with the report of each file. */
export function importWork<Kind extends ImportKind>(
  { imports }: Pick<Catalog, 'imports'>,
  kind: Kind,
  paths: readonly (string | NamedPath)[],
  options: ImportJobOptions & { onFile?: (report: FileReport) => void },
  actor: Actor,
): ImportWork<Kind> {
  const { onFile = () => undefined } = options;
  const dryRun = kind === 'import-preview';
  return {
    kind,
    run({ step, keepStep, ...watch }) {
      const done = filesOf(step);
      const files = [...done];
      const onEachFile = async (report: FileReport) => {
        files.push(shortenSamples(report));
        await keepStep({ files: [...files] }, { atOnce: true });
        onFile(report);
      };
      const all = { ...options, ...watch, dryRun, done, onFile: onEachFile };
      return imports.importPaths(paths, all, actor);
    },
    progressOf: ({ file, count, bytesRead, bytes, bytesBefore, allBytes, written, releases }) => {
      const name = baseName(file);
      // Several files share one progress, so that it does not start again with each file.
      if (count > 1) {
        const phase = dryRun ? 'read' : 'import';
        return { phase, done: bytesBefore + bytesRead, total: allBytes, unit: 'bytes', name };
      }
      return releases === 0
        ? { phase: 'read', done: bytesRead, total: bytes, unit: 'bytes', name }
        : { phase: 'write', done: written, total: releases, unit: 'releases', name };
    },
    toStoredReport: ({ files, dryRun }) => ({ dryRun, files: files.map(shortenSamples) }),
  };
}

/** Returns the reports of the files that an earlier attempt of the job has imported. */
function filesOf(step: unknown): FileReport[] {
  const { files } = (step ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files : [];
}

/**
 * Shortens the report of a file. The report of a job must fit in the job's row, even for a zip with
 * hundreds of DATs.
 */
function shortenSamples(file: FileReport): FileReport {
  if ('refused' in file) return file;
  const samples: Record<keyof ImportSamples, readonly string[]> = { ...file.samples };
  for (const kind of Object.keys(samples) as (keyof ImportSamples)[]) {
    samples[kind] = samples[kind].slice(0, maxSamples);
  }
  return { ...file, samples };
}
