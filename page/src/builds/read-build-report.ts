import type { JobDetails } from '../api/jobs.ts';

/** The lists of a report, in the order of the screen. */
export const listKeys = [
  ...(['add', 'replace', 'rename', 'keep', 'remove'] as const),
  ...(['conflicts', 'unwritten', 'left_out'] as const),
] as const;
export type ListKey = (typeof listKeys)[number];

export interface BuildItem {
  readonly path: string;
  readonly from: string | null;
  readonly size: number | null;
  /** The server's text that says why the file was not written; null if there is none. */
  readonly reason: string | null;
}

export interface BuildList {
  readonly key: ListKey;
  /** The files that the report names, which may be only the first ones. */
  readonly items: readonly BuildItem[];
  /** Number of files in the whole list. */
  readonly count: number;
}

/** The report of a build or of a plan, as the screen shows it. */
export interface BuildReport {
  readonly set: string;
  readonly profile: string;
  readonly target: string;
  readonly bytes: number;
  readonly freeBytes: number;
  readonly lackingBytes: number;
  readonly notInLibrary: number;
  readonly lists: readonly BuildList[];
}

/**
 * Reads the report of a job. Returns null if the report names no set, profile or target, as after a
 * failed job.
 */
export function readBuildReport(report: JobDetails['report']): BuildReport | null {
  const fields: Readonly<Record<string, unknown>> = report ?? {};
  const { set, profile, target } = fields;
  if (typeof set !== 'string' || typeof profile !== 'string' || typeof target !== 'string') {
    return null;
  }
  const number = (key: string) => Number(fields[key] ?? 0);
  return {
    ...{ set, profile, target },
    bytes: number('bytes'),
    freeBytes: number('free_bytes'),
    lackingBytes: number('lacking_bytes'),
    notInLibrary: number('not_in_library'),
    lists: listKeys.map((key) => {
      const items = Array.isArray(fields[key]) ? fields[key].map(itemOf) : [];
      return { key, items, count: Number(fields[`${key}_files`] ?? items.length) };
    }),
  };
}

function itemOf(item: Readonly<Record<string, unknown>>): BuildItem {
  const { path, from, size, reason } = item;
  const textOr = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    path: textOr(path) ?? '',
    from: textOr(from),
    size: typeof size === 'number' ? size : null,
    reason: textOr(reason),
  };
}
