import type { JobDetails } from '../api/jobs.ts';
import type { ServerTextKind } from '../language/server-text.ts';

/** A file or folder that a job could not handle. */
export interface ReportedProblem {
  /** The path of the file or root folder; "" if the report states none. */
  readonly path: string;
  /** The server's text; null if the report states no reason. */
  readonly reason: string | null;
  /** The subject of `reason`. */
  readonly kind: ServerTextKind;
}

/**
 * A job's report, split into parts that can be displayed: numbers and short texts (`rows`), and
 * lists of problems.
 */
export interface ReportParts {
  readonly rows: readonly { readonly key: string; readonly value: number | string }[];
  readonly lists: readonly {
    readonly key: string;
    readonly items: readonly ReportedProblem[];
    /** Number of existing items that are not in `items`. */
    readonly more: number;
  }[];
  /** Why the job did not finish; null if the report states no error. */
  readonly error: string | null;
}

/** Maximum number of items of one list that are shown. */
const maxShown = 20;
/**
 * Keys of the numbers that are shown even if they are 0. Other numbers are shown only if they are
 * not 0.
 */
const keysShownAtZero = new Set([
  'files',
  'releases',
  'images',
  'covers',
  'stored',
  'unknown',
  'looked',
]);

/**
 * Splits the report of any kind of job into parts. Skips content of unknown form, so that reports
 * of older server versions can also be displayed.
 */
export function splitReport(report: JobDetails['report']): ReportParts {
  const rows: { key: string; value: number | string }[] = [];
  const lists: { key: string; items: ReportedProblem[]; more: number }[] = [];
  let error: string | null = null;
  for (const [key, value] of Object.entries(report ?? {})) {
    if (key === 'error' || key === 'last_failure') error = textOf(value) ?? error;
    else if (key === 'recognised') rows.push({ key, value: sumOf(value) });
    else if (typeof value === 'number' && !isCountOfList(key, report ?? {})) {
      if (value !== 0 || keysShownAtZero.has(key)) rows.push({ key, value });
    } else if (key === 'file' && typeof value === 'string') rows.push({ key, value });
    else if (Array.isArray(value) && value.length > 0 && key !== 'files') {
      const count = numberAt(report, `${key}_files`) ?? value.length;
      const items = value.slice(0, maxShown).map((each) => problemOf(each, key));
      lists.push({ key, items, more: count - items.length });
    }
  }
  return { rows, lists, error };
}

function isCountOfList(key: string, report: object): boolean {
  return key.endsWith('_files') && key.slice(0, -'_files'.length) in report;
}

function sumOf(counts: unknown): number {
  const numbers = Object.values(counts ?? {}).filter((each) => typeof each === 'number');
  return numbers.reduce((sum, each) => sum + each, 0);
}

/**
 * The subject of the reasons in each list of a report. In all other lists, the subject is a file.
 */
const kinds: Readonly<Record<string, ServerTextKind>> = {
  problems: 'root',
  refused: 'import',
  findings: 'finding',
  conflicts: 'build',
  unwritten: 'build',
  left: 'build',
  undeleted: 'build',
  left_out: 'leftOut',
};

function problemOf(problem: unknown, list: string): ReportedProblem {
  return {
    path: textAt(problem, 'path') ?? textAt(problem, 'root') ?? '',
    reason: textAt(problem, 'reason'),
    kind: kinds[list] ?? 'file',
  };
}

function textAt(object: unknown, name: string): string | null {
  return typeof object === 'object' && object !== null && name in object
    ? textOf((object as Record<string, unknown>)[name])
    : null;
}

function numberAt(object: unknown, name: string): number | null {
  const value = (object as Record<string, unknown> | null)?.[name];
  return typeof value === 'number' ? value : null;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
