/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fillBoth } from '../../scale/answers/both-engines.ts';
import { differencesOf } from '../../scale/answers/compare.ts';
import { questionsOf } from '../../scale/answers/questions.ts';
import { findRealDat } from '../support/data/dats.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { type Installation, installations } from '../support/postgres/installations.ts';

const seed = Date.now() % 2 ** 31;
const questions = 200;
const real = findRealDat('Sony - PlayStation Portable (UMD Video).dat');

if (real === null) test.skip('compares real DATs (skipped: they are not in ../shared/data/dats)');

for (const { version, lack } of installations) {
  if (lack !== null) test.skip(`PostgreSQL ${version} (${lack})`);
}

describe.each(installations.filter(({ lack }) => lack === null))(
  'servers on SQLite and PostgreSQL $version',
  (installation) => {
    test(`send identical responses, byte by byte (seed ${seed})`, async () => {
      const { both, address } = await useBoth(installation);
      for (const api of ['account', 'minimal'] as const) {
        const paths = questionsOf(api, both.known, seed, questions);
        const { differences, statuses } = await both.serve(api, (servers) =>
          differencesOf(servers, paths),
        );
        expect(differences).toEqual([]);
        expect(statuses.get(200)).toBeGreaterThan(questions / 2);
        expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      }
      // A changed row is reported as a difference.
      const pages = Array.from(
        { length: Math.ceil(both.known.count / 500) },
        (_, page) => `/api/releases?limit=500&offset=${page * 500}`,
      );
      const same = () => both.serve('minimal', (servers) => differencesOf(servers, pages));
      expect((await same()).differences).toEqual([]);
      await query(address, `UPDATE release SET region = region || ' ' WHERE id = 77`);
      expect((await same()).differences).toHaveLength(1);
    });
  },
);

async function useBoth(installation: Installation) {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-answers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const { address, drop } = await makeClone(installation);
  onTestFinished(drop);
  const both = await fillBoth({
    folder,
    database: address,
    seed,
    dats: real ?? undefined,
    rows: 200,
  });
  return { both, address };
}

async function query(address: string, sql: string): Promise<void> {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(sql);
  await client.end();
}
