import { describe, expect, test } from 'vitest';
import { toJobWork } from '../../src/jobs/work.ts';

const job = {
  id: 1,
  signal: new AbortController().signal,
  progress() {},
  step: null,
  async keepStep() {},
};
const progressOf = () => {
  return { phase: 'adopt', done: 0, total: 0, unit: 'bytes', name: '' } as const;
};

describe('the stored report of a job', () => {
  test('shortens the list of refused files of an adoption, and counts all of them', async () => {
    const refused = Array.from({ length: 501 }, (_, at) => ({ path: `${at}`, reason: 'exists' }));
    const report = { place: 'adopt', files: 1, bytes: 2, refused };
    const run = async () => report;
    expect(await toJobWork({ kind: 'adopt', run, progressOf })(job)).toEqual({
      ...report,
      refused: refused.slice(0, 500),
      refusedFiles: 501,
    });
  });

  test('shortens and counts the unreadable images of a cover extraction', async () => {
    const unreadable = Array.from({ length: 501 }, (_, at) => ({
      path: `${at}`,
      reason: 'damaged',
    }));
    const report = { images: 501, stored: 0, without: 0, removed: 0, unreadable };
    const run = async () => report;
    const phase = () => ({ ...progressOf(), phase: 'extract' }) as const;
    expect(await toJobWork({ kind: 'covers-extract', run, progressOf: phase })(job)).toEqual({
      ...report,
      unreadable: unreadable.slice(0, 500),
      unreadableFiles: 501,
    });
  });

  test('keeps the whole list of files of an import', async () => {
    const files = Array.from({ length: 501 }, (_, at) => ({
      path: `${at}.dat`,
      reason: 'damaged',
    }));
    const report = { dryRun: false, files };
    const run = async () => report;
    const phase = () => ({ ...progressOf(), phase: 'read' }) as const;
    expect(await toJobWork({ kind: 'import', run, progressOf: phase })(job)).toEqual(report);
  });
});
