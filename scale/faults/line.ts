import { alignColumns } from '../../measure/columns.ts';
import { isFailure, isRefusal, type Sent } from './load.ts';

/** One line of the table: a fault, or a copy or restore. */
export interface Line {
  readonly name: string;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** Figures of the requests; null for a copy or restore, which has no load. */
  readonly requests: Requests | null;
}

/** Figures of the requests during a fault. */
export interface Requests {
  readonly all: number;
  readonly stale: number;
  readonly refused: number;
  /** Number of other 5xx responses, and of requests without a response. */
  readonly otherFailures: number;
  /** Longest time that a client waited for a successful response, in seconds. */
  readonly longestGap: number;
  /**
   * Seconds from the end of the fault to the end of the last failed request that was sent later.
   */
  readonly recoveredAfter: number;
}

/** Returns the figures of requests. `since` is the end of the fault. */
export function requestsOf(sent: readonly Sent[], stale: number, since: number): Requests {
  const failed = sent.filter(({ status }) => isFailure(status));
  const refused = failed.filter(({ status }) => isRefusal(status)).length;
  const late = failed.filter(({ sentAt }) => sentAt >= since).map(({ endedAt }) => endedAt - since);
  return {
    all: sent.length,
    stale,
    refused,
    otherFailures: failed.length - refused,
    longestGap: Math.max(0, ...gapsOf(sent)) / 1_000,
    recoveredAfter: Math.max(0, ...late) / 1_000,
  };
}

/** Returns the longest time that each client waited for a successful response, in milliseconds. */
function gapsOf(sent: readonly Sent[]): number[] {
  return [...Map.groupBy(sent, ({ client }) => client).values()].map((own) => {
    let longest = 0;
    let waitsSince: number | null = null;
    for (const { status, sentAt, endedAt } of own) {
      waitsSince ??= sentAt;
      longest = Math.max(longest, endedAt - waitsSince);
      if (!isFailure(status)) waitsSince = null;
    }
    return longest;
  });
}

const headings =
  'fault,acknowledged,lost,doubled,stale,503 or 507,other 5xx,longest gap,recovered after';

/** Returns the table of all lines. */
export function tableOfLines(lines: readonly Line[]): string[] {
  const rows = lines.map(({ name, acknowledged, lost, doubled, requests }) => {
    const counts = [name, acknowledged, lost, doubled].map(String);
    if (requests === null) return [...counts, '', '', '', '', ''];
    const { stale, refused, otherFailures, longestGap, recoveredAfter } = requests;
    const seconds = [longestGap, recoveredAfter].map((value) => `${value.toFixed(1)} s`);
    return [...counts, ...[stale, refused, otherFailures].map(String), ...seconds];
  });
  return alignColumns([headings.split(','), ...rows], (column) => column >= 1);
}
