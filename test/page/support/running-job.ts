import type { JobProgress } from '../../../src/core/jobs/job.ts';
import type { TestApp } from '../../support/http/app.ts';

const GIB = 1024 ** 3;
const progress: JobProgress = {
  phase: 'hash',
  done: 14 * GIB,
  total: 500 * GIB,
  unit: 'bytes',
  name: '/srv/discs/long.iso',
};

/** Starts a scan that calculates checksums until it is stopped. The scan uses no processor time. */
export async function scanUntilStopped({ catalog }: Pick<TestApp, 'catalog'>): Promise<void> {
  const request = { kind: 'scan', options: {}, actor: { kind: 'system' } } as const;
  const never = new AbortController().signal;
  const hasBegun = Promise.withResolvers<void>();
  const running = catalog.jobs.run(request, never, async (job) => {
    job.progress(progress);
    hasBegun.resolve();
    await new Promise((_, reject) => {
      job.signal.addEventListener('abort', () => reject(job.signal.reason));
    });
    return {};
  });
  await Promise.race([hasBegun.promise, running]);
  running.catch(() => {}); // the scan was stopped
}
