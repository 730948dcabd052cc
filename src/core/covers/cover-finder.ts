import type { Clock } from '../shared/clock.ts';
import { noCover, stopping } from '../shared/errors.ts';
import type { Leases } from '../shared/leases.ts';
import { pause } from '../shared/pause.ts';
import { mayReplace } from './cover-origin.ts';
import type { Covers, OpenedCover } from './covers.ts';
import type {
  CoverMiss,
  CoverSearchRecords,
  CoverSource,
  CoverSubject,
  SourceAnswer,
} from './ports.ts';

/** decisions.md, Minimal variant: how long an answer without a cover counts. */
const rememberedMs = { miss: 24 * 60 * 60_000, failure: 5 * 60_000 };
/** So many failures in a row, and for so long readers get no cover at once instead of waiting 15 s each. */
const failuresUntilRest = 3;
const restMs = 30_000;
/** Readers that may wait for the source at a time. */
const mostWaiting = 100;
/** Between the tries of a patient search, which asks again after failures; a `Retry-After` counts up to a minute. */
const backoffMs = [1_000, 2_000, 4_000];
const mostRetryAfterMs = 60_000;

/**
 * How a search went: `stored` a new cover, `kept` what was there, `remembered` an earlier answer without a cover,
 * `removed` by somebody.
 */
export type Search =
  | { readonly outcome: 'stored' | 'kept' | 'remembered' | 'removed' | 'resting' }
  | { readonly outcome: 'miss' | 'failure'; readonly reason: string };

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** For work that nobody waits for: spaces requests out and tries again after failures. */
  readonly isPatient: boolean;
  /** Also for a release whose cover somebody removed. */
  readonly evenIfRemoved?: boolean;
}

/** A source that could not be asked, and why. */
export interface SearchFailure {
  readonly releaseId: number;
  readonly source: string;
  readonly reason: string;
}

/** Covers, and where one is missing the source's, which is stored. */
export class CoverFinder {
  /** Null without a source. */
  readonly source: CoverSource | null;
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #backoffMs: readonly number[];
  readonly #onFailure: (failure: SearchFailure) => void;
  readonly #stop = new AbortController();
  readonly #running = new Map<number, Promise<Search>>();
  #failures = 0;
  #restUntil = 0;

  constructor(parts: {
    covers: Covers;
    records: CoverSearchRecords;
    source: CoverSource | null;
    leases: Leases;
    clock: Clock;
    backoffMs?: readonly number[];
    /** Told when a reader got no cover because the source could not be asked; of many in a row the first. */
    onFailure?: (failure: SearchFailure) => void;
  }) {
    this.#covers = parts.covers;
    this.#records = parts.records;
    this.source = parts.source;
    this.#leases = parts.leases;
    this.#clock = parts.clock;
    this.#backoffMs = parts.backoffMs ?? backoffMs;
    this.#onFailure = parts.onFailure ?? (() => undefined);
  }

  /** The stored cover, else the source's. Throws `no cover available`. The caller streams or closes it. */
  async open(releaseId: number): Promise<OpenedCover> {
    const stored = await this.#covers.find(releaseId);
    if (stored !== null) return stored;
    const { outcome } = await this.search(releaseId, {
      signal: this.#stop.signal,
      isPatient: false,
    });
    if (outcome !== 'stored' && outcome !== 'kept') throw noCover();
    return this.#covers.open(releaseId);
  }

  /**
   * Asks the source, unless it said lately that it has none; one search per release at a time, which others share, also
   * those in other processes.
   * Throws the signal's reason, and what storing throws.
   */
  search(releaseId: number, options: SearchOptions): Promise<Search> {
    const running = this.#running.get(releaseId);
    if (running !== undefined) return running;
    if (this.#stop.signal.aborted) return Promise.reject(this.#stop.signal.reason);
    const started = this.#search(releaseId, options).finally(() => {
      this.#running.delete(releaseId);
    });
    this.#running.set(releaseId, started);
    return started;
  }

  /** Ends the searches that readers wait for; they are asked to come back. */
  async close(): Promise<void> {
    this.#stop.abort(stopping());
    await Promise.allSettled(this.#running.values());
  }

  async #search(releaseId: number, options: SearchOptions): Promise<Search> {
    const { source } = this;
    if (source === null) return { outcome: 'miss', reason: 'there is no source' };
    const subject = await this.#records.findSubject(releaseId);
    if (subject === null) return { outcome: 'miss', reason: 'it has no platform' };
    const known = await this.#known(releaseId, source, options);
    if (known !== null) return known;
    const name = `cover ${releaseId}`;
    const own = await this.#leases.tryHold(name, async () => {
      // Another process may have come to an end of it since.
      const found = await this.#known(releaseId, source, options);
      return found ?? this.#askAndStore(releaseId, source, subject, options);
    });
    if (own !== null) return own.result;
    await this.#leases.untilFree(name, options.signal);
    return this.#search(releaseId, options);
  }

  /** What can be told without asking the source; null when it is to be asked. */
  async #known(
    releaseId: number,
    source: CoverSource,
    { evenIfRemoved = false, isPatient }: SearchOptions,
  ): Promise<Search | null> {
    if (!evenIfRemoved && (await this.#covers.wasRemoved(releaseId))) return { outcome: 'removed' };
    const miss = await this.#records.findMiss(releaseId);
    if (miss !== null && this.#isFresh(miss, source)) return { outcome: 'remembered' };
    if (!mayReplace(await this.#covers.originOf(releaseId), 'source')) return { outcome: 'kept' };
    return !isPatient && this.#isResting() ? { outcome: 'resting' } : null;
  }

  async #askAndStore(
    releaseId: number,
    source: CoverSource,
    subject: CoverSubject,
    options: SearchOptions,
  ): Promise<Search> {
    const { evenIfRemoved = false } = options;
    const answer = await this.#ask(source, subject, options);
    this.#countFailures(answer);
    if (answer.kind === 'image') return this.#store(releaseId, answer, evenIfRemoved);
    const { kind, reason } = answer;
    const askedAt = this.#clock.now();
    await this.#records.rememberMiss(releaseId, { source: source.address, kind, reason, askedAt });
    // The first of a row say enough.
    if (kind === 'failure' && !options.isPatient && this.#failures <= failuresUntilRest) {
      this.#onFailure({ releaseId, source: source.address, reason });
    }
    return { outcome: kind, reason };
  }

  #isFresh(miss: CoverMiss, source: CoverSource): boolean {
    const age = this.#clock.now() - miss.askedAt;
    // An answer from the future means that the clock was set back.
    return miss.source === source.address && age >= 0 && age < rememberedMs[miss.kind];
  }

  #isResting(): boolean {
    return this.#clock.monotonic() < this.#restUntil || this.#running.size > mostWaiting;
  }

  async #ask(
    source: CoverSource,
    subject: CoverSubject,
    { signal, isPatient }: SearchOptions,
  ): Promise<SourceAnswer> {
    for (const wait of isPatient ? this.#backoffMs : []) {
      const answer = await source.fetch(subject, { signal, polite: true });
      if (answer.kind !== 'failure') return answer;
      const wished = Math.min(answer.retryAfterMs ?? 0, mostRetryAfterMs);
      await pause(Math.max(wait, wished), signal);
    }
    return source.fetch(subject, { signal, polite: isPatient });
  }

  #countFailures({ kind }: SourceAnswer): void {
    this.#failures = kind === 'failure' ? this.#failures + 1 : 0;
    if (this.#failures >= failuresUntilRest) this.#restUntil = this.#clock.monotonic() + restMs;
  }

  async #store(
    releaseId: number,
    { bytes, address }: Extract<SourceAnswer, { kind: 'image' }>,
    evenIfRemoved: boolean,
  ): Promise<Search> {
    const actor = { kind: 'system' } as const;
    const origin = { kind: 'source', from: address } as const;
    const staged = await this.#covers.stage(oneChunk(bytes));
    // Somebody may remove the one from a disc, which it is to replace, meanwhile.
    return { outcome: await this.#covers.put(releaseId, staged, actor, origin, { evenIfRemoved }) };
  }
}

/** Bytes in memory as a stream of one chunk. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
