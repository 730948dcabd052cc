/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillBoth } from '../../scale/engines/both-engines.ts';
import { differencesOf } from '../../scale/engines/compare.ts';
import { randomPaths } from '../../scale/engines/random-paths.ts';
import { findRealDat } from '../support/data/dats.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { type Installation, installations } from '../support/postgres/installations.ts';

const seed = Date.now() % 2 ** 31;
const requestCount = 200;
const real = findRealDat('Sony - PlayStation Portable (UMD Video).dat');

if (real === null) test.skip('compares real DATs (skipped: they are not in ../shared/data/dats)');

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'servers on SQLite and PostgreSQL $version',
  (installation) => {
    test(`send identical responses, byte by byte (seed ${seed})`, async () => {
      const { both, databaseUrl } = await useBoth(installation);
      for (const api of ['account', 'minimal'] as const) {
        const paths = randomPaths(api, both.known, seed, requestCount);
        const { differences, statuses } = await both.serve(api, (servers) =>
          differencesOf(servers, paths),
        );
        expect(differences).toEqual([]);
        expect(statuses.get(200)).toBeGreaterThan(requestCount / 2);
        expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      }
      // A changed row is reported as a difference.
      const pages = Array.from(
        { length: Math.ceil(both.known.count / 500) },
        (_, page) => `/api/releases?limit=500&offset=${page * 500}`,
      );
      const same = () => both.serve('minimal', (servers) => differencesOf(servers, pages));
      expect((await same()).differences).toEqual([]);
      await query(databaseUrl, `UPDATE release SET region = region || ' ' WHERE id = 77`);
      expect((await same()).differences).toHaveLength(1);
    });
  },
);

async function useBoth(installation: Installation) {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-answers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const { databaseUrl, drop } = await makeClone(installation);
  onTestFinished(drop);
  const both = await fillBoth({
    folder,
    database: databaseUrl,
    seed,
    dats: real ?? undefined,
    rows: 200,
  });
  return { both, databaseUrl };
}

async function query(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(sql);
  await client.end();
}
