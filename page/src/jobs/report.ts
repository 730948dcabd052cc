import type { WholeJob } from '../api/jobs.ts';

/** What a report comes down to: its numbers and short texts, and its lists of what is wrong. */
export interface ReportParts {
  readonly rows: readonly { readonly key: string; readonly value: number | string }[];
  readonly lists: readonly {
    readonly key: string;
    readonly items: readonly string[];
    /** How many are not listed. */
    readonly more: number;
  }[];
  /** Why it did not come to its end. */
  readonly error: string | null;
}

/** Lists that are not long are shown whole. */
const mostShown = 20;
/** Numbers that say nothing when they are 0. */
const saidAtZero = new Set([
  'files',
  'releases',
  'images',
  'covers',
  'stored',
  'unknown',
  'looked',
]);

/** Reads a report of any kind, also one of an older version: what it does not know it leaves out. */
export function partsOf(report: WholeJob['report']): ReportParts {
  const rows: { key: string; value: number | string }[] = [];
  const lists: { key: string; items: string[]; more: number }[] = [];
  let error: string | null = null;
  for (const [key, value] of Object.entries(report ?? {})) {
    if (key === 'error' || key === 'last_failure') error = textOf(value) ?? error;
    else if (key === 'recognised') rows.push({ key, value: sumOf(value) });
    else if (typeof value === 'number' && !isCountOfList(key, report ?? {})) {
      if (value !== 0 || saidAtZero.has(key)) rows.push({ key, value });
    } else if (key === 'file' && typeof value === 'string') rows.push({ key, value });
    else if (Array.isArray(value) && value.length > 0 && key !== 'files') {
      const count = numberAt(report, `${key}_files`) ?? value.length;
      const items = value.slice(0, mostShown).map(troubleText);
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

/** A file or root, and what is wrong with it. */
function troubleText(trouble: unknown): string {
  const parts = ['path', 'root', 'reason'].map((name) => textAt(trouble, name));
  return parts.filter((each) => each !== null).join(': ');
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
