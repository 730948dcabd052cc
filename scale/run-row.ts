import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Outcome, outcomeOf } from '../measure/outcome.ts';
import { installations } from '../test/support/postgres/installations.ts';
import { makeServer } from '../test/support/postgres/own-server.ts';
import { openPair, type Pair } from './pair.ts';
import type { Row, Scene } from './row.ts';

/** The newest PostgreSQL installed on this machine. */
const installation = installations.find(({ skipReason }) => skipReason === null);

/** Lines that a row prints in place of its figures. */
export interface Shown {
  readonly shown: readonly string[];
}

/**
 * Measures a row on a separate database server. Ends everything that the row started before
 * returning.
 */
export async function runRow(
  row: Row,
  options: Pick<Scene, 'folder' | 'seed' | 'dats' | 'only'>,
): Promise<Outcome<Shown>> {
  const { name } = row;
  const postgresSkipReason = installation
    ? null
    : (installations[0]?.skipReason ?? 'there is no PostgreSQL');
  const skipped = row.skipReason?.() ?? postgresSkipReason;
  if (skipped !== null) return { name, skipped: skipped.replace(/^skipped: /, '') };
  const server = await makeServer(installation);
  const pairs: Pair[] = [];
  const shown: string[] = [];
  try {
    const scene: Scene = {
      ...options,
      database: server.databaseUrl,
      server,
      show: (lines) => void shown.push(...lines),
      times: (full) => full,
      async openPair(database = server.databaseUrl) {
        const pair = await openPair(join(options.folder, 'data'), database);
        pairs.push(pair);
        return pair;
      },
    };
    return await outcomeOf(name, async () => ({
      figures: await row.measure(scene),
      shown,
    }));
  } finally {
    for (const pair of pairs) await pair.stop().catch(() => undefined);
    await server.remove();
    await rm(options.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
