/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPair } from '../../scale/pair.ts';
import type { Row, Scene } from '../../scale/row.ts';
import { edits } from '../../scale/rows/edits.ts';
import { killed } from '../../scale/rows/killed.ts';
import { killedImport } from '../../scale/rows/killed-import.ts';
import { readThere } from '../../scale/rows/read-there.ts';
import { passes } from '../../trust/check.ts';
import { testedDatabases } from '../support/databases.ts';

describe.each(testedDatabases())('$name, in short', ({ make }) => {
  async function measure(row: Row) {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-scale-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const { address, drop } = await make();
    onTestFinished(drop);
    const scene: Scene = {
      folder,
      database: address,
      server: null,
      seed: 1,
      dats: undefined,
      times: (full) => Math.ceil(full / 15),
      async openPair(database = address) {
        const pair = await openPair(join(folder, 'data'), database);
        onTestFinished(() => pair.stop());
        return pair;
      },
    };
    return row.measure(scene);
  }

  test.each([edits, readThere, killed, killedImport])('$name', { timeout: 90_000 }, async (row) => {
    const figures = await measure(row);
    expect(figures.length).toBeGreaterThan(0);
    expect(figures.filter((figure) => !passes(figure))).toEqual([]);
  });
});
