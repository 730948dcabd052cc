import { setTimeout } from 'node:timers/promises';
import { stopping } from '../../../core/shared/errors.ts';

/** A load balancer is there if it checked the readiness within this time, in milliseconds. */
const thereMs = 10_000;
/**
 * How long a stopping server serves on while it refuses health checks, in milliseconds. A load
 * balancer that checks every second has then seen two refusals.
 */
const noticeMs = 3_000;

/**
 * Announces a stop to load balancers: health checks are refused while the server still accepts
 * connections and requests. Otherwise, requests that are on their way to the server would be lost.
 */
export class Departure {
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isAnnounced = false;

  /** Throws `server is stopping` once the stop is announced. */
  refuseChecks(): void {
    if (this.#isAnnounced) throw stopping();
  }

  /** Records that a load balancer may be there. */
  noteReadinessCheck(): void {
    this.#checkedAt = performance.now();
  }

  /**
   * Announces the stop. Resolves once load balancers had time to notice: at once if there are none,
   * and at the latest after `mostMs` milliseconds or when `signal` is aborted.
   */
  async announce(maxMs: number, signal: AbortSignal): Promise<void> {
    this.#isAnnounced = true;
    if (performance.now() - this.#checkedAt > thereMs) return;
    await setTimeout(Math.min(noticeMs, maxMs), undefined, { signal }).catch(() => undefined);
  }
}
