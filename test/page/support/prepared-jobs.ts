import type { JobProgress } from '../../../src/core/jobs/job.ts';
import type { TestApp } from '../../support/http/app.ts';

const scanned = {
  files: 1204,
  recognised: { sha1: 1100, md5: 0, crc32: 4, serial: 61, name: 12 },
  inSets: 30,
  unknown: 27,
  tied: 3,
  unreadable: [],
  damaged: [{ path: '/srv/discs/games/PSP/cut off.cso', reason: 'it ends too early' }],
  problems: [],
  looked: 88,
  moved: 2,
  gone: 0,
  hashed: 88,
  matchesLost: 0,
  matchesChanged: 1,
  unreadableFiles: 0,
  damagedFiles: 1,
};
const progress: JobProgress = {
  phase: 'hash',
  done: 14 * 1024 ** 3,
  total: 41 * 1024 ** 3,
  unit: 'bytes',
  name: '/srv/discs/games/PlayStation 2/A Rather Long Name of a Disc (Europe) (En,Fr,De,Es,It).iso',
};

/**
 * Creates jobs that are done, failed and interrupted, and one running job. The returned function
 * ends the running job.
 */
export async function addJobs({ catalog }: Pick<TestApp, 'catalog'>): Promise<() => Promise<void>> {
  const editor = { kind: 'user', userId: 2, username: 'editor', address: '127.0.0.1' } as const;
  const never = new AbortController().signal;
  const run = (
    kind: string,
    work: () => Promise<object>,
    actor: typeof editor | { kind: 'system' } = editor,
  ) => catalog.jobs.run({ kind, options: {}, actor }, never, work).catch(() => undefined);
  await run('scan', async () => scanned, { kind: 'system' });
  await run('covers-fetch', async () => {
    throw new Error('the cover source does not answer (ECONNREFUSED)');
  });
  await run('covers-bundle', async () => ({ file: 'all.zip', covers: 320, size: 40_000_000 }));
  const begun = await catalog.jobs.begin({ kind: 'scan', options: {}, actor: editor });
  const lost = { reason: 'its process was told to end', wasStoppedByServer: true };
  if ('id' in begun) await catalog.jobs.endRun(begun, lost);
  const end = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  const request = { kind: 'scan', options: {}, actor: editor };
  const running = catalog.jobs.run(request, never, async (job) => {
    job.progress(progress);
    shown.resolve();
    await end.promise;
    return {};
  });
  await shown.promise;
  return async () => {
    end.resolve();
    await running;
  };
}
