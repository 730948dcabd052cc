import { type JobDetails, startJob } from './jobs.ts';
import { type ResponseOf, requestJson } from './request.ts';

/** An import as listed in the history. */
export type ImportRecord = ResponseOf<'getImports'>['items'][number];
export type ImportDetails = ResponseOf<'getImportsImportId'>;
export type Counts = ImportRecord['counts'];
export type Samples = ImportDetails['samples'];

/** The result of importing one file. In a preview, the expected result. */
export type FileReport =
  | {
      readonly file: string;
      readonly kind: 'dat' | 'metadata';
      readonly platform: string;
      readonly version: string;
      readonly counts: Counts;
      readonly samples: Samples;
    }
  | { readonly file: string; readonly line: number | null; readonly reason: string };

/** Options of an import. `uploads` contains the ids of the uploads to import. */
export interface ImportOptions {
  readonly uploads: readonly number[];
  readonly system?: string;
  readonly source?: string;
  readonly prune?: boolean;
}

/** Maximum number of imports per page. A page with fewer imports is the last page. */
export const importsPageSize = 50;

export async function listImports(
  offset: number,
  signal: AbortSignal,
): Promise<readonly ImportRecord[]> {
  const query = { offset, limit: importsPageSize };
  return (await requestJson('GET', '/api/imports', { query, signal })).items;
}

export function readImport(id: number, signal: AbortSignal): Promise<ImportDetails> {
  return requestJson('GET', '/api/imports/{import_id}', { path: { import_id: id }, signal });
}

/** Returns the ids of the current user's completed DAT uploads. */
export async function listDats(signal: AbortSignal): Promise<ReadonlySet<number>> {
  const query = { own: 1, state: 'done' } as const;
  const { items } = await requestJson('GET', '/api/uploads', { query, signal });
  return new Set(items.filter(({ system }) => system === 'dats').map(({ id }) => id));
}

/** Starts an import or a preview and returns the job's id. */
export function startImport(
  kind: 'import' | 'import-preview',
  options: ImportOptions,
): Promise<number> {
  return startJob(kind, options);
}

/** Returns the options that an import or preview was started with. */
export function importOptions({ options }: JobDetails): ImportOptions {
  return { uploads: [], ...options };
}

/**
 * Returns the job's report on each imported file. Returns an empty array while the job runs, or if
 * the job did not finish.
 */
export function fileReports({ report }: JobDetails): readonly FileReport[] {
  const { files } = (report ?? {}) as { files?: readonly FileReport[] };
  return files ?? [];
}
