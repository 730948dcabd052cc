/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { passes } from '../../measure/figure.ts';
import { openPair } from '../../scale/pair.ts';
import type { Row, Scene } from '../../scale/row.ts';
import { edits } from '../../scale/rows/edits.ts';
import { killed } from '../../scale/rows/killed.ts';
import { killedImport } from '../../scale/rows/killed-import.ts';
import { readThere } from '../../scale/rows/read-there.ts';
import { testedDatabases } from '../support/data/databases.ts';

/**
 * Expires the leases of all processes, as if 30 seconds had passed. Running processes renew their
 * leases.
 */
async function expireLeases(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const sql = `UPDATE lease SET expires_at = 1 WHERE name LIKE 'process/%'`;
  await client.query(sql).finally(() => client.end());
}

describe.each(testedDatabases())('a pair of instances on $name', ({ make }) => {
  async function measure(row: Row) {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-scale-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    const { databaseUrl, drop } = await make();
    onTestFinished(drop);
    const scene: Scene = {
      folder,
      database: databaseUrl,
      server: null,
      only: [],
      show: () => undefined,
      seed: 1,
      dats: undefined,
      times: (full) => Math.ceil(full / 15),
      async openPair(database = databaseUrl) {
        const pair = await openPair(join(folder, 'data'), database);
        onTestFinished(() => pair.stop());
        if (databaseUrl === '') return pair;
        const run = async (args: readonly string[]) => {
          await expireLeases(databaseUrl);
          return pair.run(args);
        };
        return { ...pair, run };
      },
    };
    return row.measure(scene);
  }

  test.each([edits, readThere, killed, killedImport])(
    'meets the limits of the shortened scale check: $name',
    async (row) => {
      const figures = await measure(row);
      expect(figures.length).toBeGreaterThan(0);
      expect(figures.filter((figure) => !passes(figure))).toEqual([]);
    },
  );
});
