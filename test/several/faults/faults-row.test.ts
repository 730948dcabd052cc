/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { passes } from '../../../measure/figure.ts';
import type { Scene } from '../../../scale/row.ts';
import { faultsRow } from '../../../scale/rows/faults.ts';
import { makeServer } from '../../support/postgres/own-server.ts';

const skipReason = faultsRow.skipReason?.() ?? null;

describe('the shortened fault check', () => {
  test.skipIf(skipReason !== null)(
    `finds no loss when connections are cut and the database is restarted ${skipReason ?? ''}`,
    { timeout: 300_000 },
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'catalog-faults-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
      const server = await makeServer();
      onTestFinished(() => server.remove());
      const shown: string[] = [];
      const scene: Scene = {
        folder,
        database: server.databaseUrl,
        server,
        seed: 1,
        dats: undefined,
        only: ['connections-cut', 'database-restarted', 'copies'],
        show: (lines) => void shown.push(...lines),
        times: (full) => Math.ceil(full / 15),
        openPair: () => Promise.reject(new Error('the row has instances of its own')),
      };
      const figures = await faultsRow.measure(scene);
      expect(figures.filter((figure) => !passes(figure))).toEqual([]);
      expect(shown.map((line) => line.split(/ {2,}/)[0])).toEqual([
        'fault',
        'database-restarted',
        'connections-cut',
        'in the end',
        'copied to SQLite and a folder',
        'copied to PostgreSQL and S3',
        'pg_restore',
        'restored with --store',
        'restored without --store',
        expect.stringMatching(/^jobs: (\d+) of \1 done$/),
        expect.stringMatching(/^\d+\.\d minutes$/),
      ]);
      expect(figures.length).toBeGreaterThan(0);
    },
  );
});
