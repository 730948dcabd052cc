import { CatalogError, type Part } from '../core/shared/errors.ts';
import { causesOf, reasonOf } from './reason-of.ts';

/** Interval, in milliseconds, at which the current outages are checked. */
const checkMs = 5_000;
/** Time without a failure after which an outage is over, in milliseconds. */
const quietMs = 15_000;
/** Interval between two lines about one outage, in milliseconds. */
const lineMs = 60_000;

/**
 * The subject of an outage: an external part such as the database, free space, or processing time.
 */
type Subject = Part | 'storage' | 'work';

interface Texts {
  /** Message that says what happens and what to do. */
  readonly begins: string;
  readonly lasts: string;
  readonly ends: string;
}

const texts: Readonly<Record<Subject, Texts>> = {
  database: {
    begins:
      'the database is unavailable: requests that need it get 503 until it responds, check the database',
    lasts: 'the database is still unavailable',
    ends: 'the database is available again',
  },
  'object store': {
    begins:
      'the object store is unavailable: requests that need it get 503 until it responds, check the S3 server',
    lasts: 'the object store is still unavailable',
    ends: 'the object store is available again',
  },
  storage: {
    begins: 'the storage is full: requests that store something get 507, free some space',
    lasts: 'the storage is still full',
    ends: 'the storage has space again',
  },
  work: {
    begins:
      'some work takes too long: its requests get 503, check the load of this machine if that lasts',
    lasts: 'some work still takes too long',
    ends: 'no work takes too long any more',
  },
};

/** Writes lines to the log. */
export interface OutageLines {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

interface Outage {
  /** Times of the first failure, the last failure and the last line, from `performance.now()`. */
  readonly began: number;
  lastAt: number;
  lineAt: number;
  failures: number;
  /** Number of failures that lines in the log have already reported. */
  reported: number;
  /** The reason of the last failure. */
  reason: string;
  /** The messages of background work that failed because of this outage. */
  readonly messages: Set<string>;
}

/** A failure that an outage caused. `isLogged` is false if the failure needs no line of its own. */
export interface CountedFailure {
  readonly isLogged: boolean;
}

/**
 * Logs an outage instead of every failure that it causes: one line when the outage begins, one line
 * a minute with the number of failures, and one line when no failure has occurred for 15 s. A
 * failure of background work is also logged, once per message and outage.
 */
export class Outages {
  readonly #lines: OutageLines;
  readonly #outages = new Map<Subject, Outage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(lines: OutageLines) {
    this.#lines = lines;
  }

  /**
   * Counts a failure that an outage caused. `line` is the log message of the failure, or null if a
   * request failed. For any other failure, does nothing and returns null.
   */
  count(error: unknown, line: string | null): CountedFailure | null {
    const subject = subjectOf(error);
    if (subject === null) return null;
    const outage = this.#outages.get(subject) ?? this.#begin(subject, error);
    outage.failures += 1;
    outage.lastAt = performance.now();
    outage.reason = reasonOf(error);
    if (line === null) return { isLogged: false };
    const isLogged = !outage.messages.has(line);
    outage.messages.add(line);
    return { isLogged };
  }

  #begin(subject: Subject, error: unknown): Outage {
    const now = performance.now();
    const reason = reasonOf(error);
    const counts = { failures: 0, reported: 0, messages: new Set<string>() };
    const outage = { began: now, lastAt: now, lineAt: now, reason, ...counts };
    this.#outages.set(subject, outage);
    this.#lines.warn({ reason }, texts[subject].begins);
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
    return outage;
  }

  #check(): void {
    const now = performance.now();
    for (const [subject, outage] of this.#outages) {
      const { began, lastAt, failures, reported, reason } = outage;
      if (now - lastAt >= quietMs) {
        this.#outages.delete(subject);
        const seconds = Math.round((lastAt - began) / 1000);
        this.#lines.info({ failures, seconds }, texts[subject].ends);
      } else if (now - outage.lineAt >= lineMs) {
        outage.lineAt = now;
        outage.reported = failures;
        this.#lines.warn({ failures: failures - reported, reason }, texts[subject].lasts);
      }
    }
    if (this.#outages.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function subjectOf(error: unknown): Subject | null {
  const known = causesOf(error).filter((each) => each instanceof CatalogError);
  const part = known.find((each) => each.part !== undefined)?.part;
  if (part !== undefined) return part;
  if (known.some(({ kind }) => kind === 'storage-full')) return 'storage';
  // A stopping server also throws `busy`, but with a longer time to retry. Do not count it.
  return known.some(({ kind, retryAfter }) => kind === 'busy' && retryAfter === 1) ? 'work' : null;
}
