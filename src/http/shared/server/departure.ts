import { setTimeout } from 'node:timers/promises';
import { stopping } from '../../../core/shared/errors.ts';

/**
 * Time since the last readiness check during which a load balancer is assumed to be there, in
 * milliseconds.
 */
const thereMs = 10_000;
/**
 * How long a stopping server keeps serving while it refuses health checks, in milliseconds. A load
 * balancer that checks every second then sees at least two refusals.
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

  /** Records a readiness check, which suggests that a load balancer is there. */
  recordReadinessCheck(): void {
    this.#checkedAt = performance.now();
  }

  /**
   * Announces the stop. Resolves once load balancers had time to notice: at once if there are none,
   * and at the latest after `maxMs` milliseconds or when `signal` is aborted.
   */
  async announce(maxMs: number, signal: AbortSignal): Promise<void> {
    this.#isAnnounced = true;
    if (performance.now() - this.#checkedAt > thereMs) return;
    await setTimeout(Math.min(noticeMs, maxMs), undefined, { signal }).catch(() => undefined);
  }
}
