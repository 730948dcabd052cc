import { startJob, type WholeJob } from './jobs.ts';
import { type AnswerOf, ask } from './request.ts';

/** An import as the history lists it. */
export type ImportRecord = AnswerOf<'getImports'>['items'][number];
export type WholeImport = AnswerOf<'getImportsImportId'>;
export type Counts = ImportRecord['counts'];
export type Samples = WholeImport['samples'];

/** What became, or would become, of one file. */
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

/** How uploads are to be imported. */
export interface ImportOptions {
  readonly uploads: readonly number[];
  readonly system?: string;
  readonly source?: string;
  readonly prune?: boolean;
}

/** So many come at most; fewer are the last. */
export const importsAtOnce = 50;

export async function listImports(
  offset: number,
  signal: AbortSignal,
): Promise<readonly ImportRecord[]> {
  const query = { offset, limit: importsAtOnce };
  return (await ask<AnswerOf<'getImports'>>('GET', '/api/imports', { query, signal })).items;
}

export function readImport(id: number, signal: AbortSignal): Promise<WholeImport> {
  return ask('GET', `/api/imports/${id}`, { signal });
}

/** The ids of one's own uploads of DATs that are whole. */
export async function listDats(signal: AbortSignal): Promise<ReadonlySet<number>> {
  const query = { own: 1, state: 'done' };
  const { items } = await ask<AnswerOf<'getUploads'>>('GET', '/api/uploads', { query, signal });
  return new Set(items.filter(({ system }) => system === 'dats').map(({ id }) => id));
}

/** The id of the job. */
export function startImport(
  kind: 'import' | 'import-preview',
  options: ImportOptions,
): Promise<number> {
  return startJob(kind, options);
}

/** What an import, or its preview, was asked. */
export function importOptions({ options }: WholeJob): ImportOptions {
  return { uploads: [], ...options };
}

/** What it reported of each file; empty while it runs, and when it did not come to its end. */
export function fileReports({ report }: WholeJob): readonly FileReport[] {
  const { files } = (report ?? {}) as { files?: readonly FileReport[] };
  return files ?? [];
}
