import { describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { busy } from '../../src/core/shared/errors.ts';
import { type UploadParts, Uploads } from '../../src/core/uploads/uploads.ts';

describe('the reader of uploaded DATs', () => {
  // An import whose upload is reported as gone fails for good.
  test('reports an unreachable database as busy, and not the upload as gone', async () => {
    const records = { find: () => Promise.reject(busy()) };
    const uploads = new Uploads({ records, clock } as unknown as UploadParts);
    const viewer = { userId: 1, seesAll: true };
    const { signal } = new AbortController();
    await expect(uploads.hasDat(1, viewer)).rejects.toMatchObject({ kind: 'busy' });
    await expect(uploads.fetchDat(1, viewer, signal)).rejects.toMatchObject({ kind: 'busy' });
  });
});
