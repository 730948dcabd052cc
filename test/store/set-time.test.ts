import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { settableTime } from '../../src/core/shared/settable-time.ts';
import { setTime } from '../../src/files/local/set-time.ts';

const HALF_STEP_NS = 120n;
const times = Array.from(
  { length: 200 },
  (_, n) => 1_795_440_889_448_000_000n + 37_000_123n * BigInt(n),
);

async function useFile() {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-set-time-'));
  const handle = await open(join(folder, 'a'), 'w');
  onTestFinished(async () => {
    await handle.close();
    await rm(folder, { recursive: true });
  });
  return handle;
}

describe('setTime', () => {
  test('sets a representable time exactly', async () => {
    const handle = await useFile();
    for (const time of times.map(settableTime)) {
      expect(await setTime(handle, time)).toBe(time);
      expect((await handle.stat({ bigint: true })).mtimeNs).toBe(time);
    }
  });

  test('sets the nearest representable time for any other time', async () => {
    const handle = await useFile();
    for (const time of times) {
      const given = await setTime(handle, time);
      const difference = given > time ? given - time : time - given;
      expect(difference).toBeLessThanOrEqual(HALF_STEP_NS);
      expect((await handle.stat({ bigint: true })).mtimeNs).toBe(given);
    }
  });
});
