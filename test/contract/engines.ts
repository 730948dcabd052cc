import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import type { Engine } from '../../src/sql/engine.ts';
import { openDatabase } from '../../src/sql/open.ts';
import { openCurrent } from '../../src/sql/postgres/open-current.ts';
import { placeDatabase } from '../support/new-catalogue.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { type Installation, installations } from '../support/postgres/installations.ts';

interface TestedEngine {
  readonly name: string;
  /** True if the database is a file on this machine. */
  readonly isFile: boolean;
  /** Opens a new, empty database. Returns its engine. */
  open(): Promise<{ engine: Engine; close(): Promise<void> }>;
}

/** The engines available on this machine. Every contract of an SQL adapter runs on each engine. */
export const engines: TestedEngine[] = [
  {
    name: 'SQLite',
    isFile: true,
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'catalog-contract-'));
      const file = join(folder, 'catalog.db');
      await placeDatabase(file);
      const engine = await openDatabase(file);
      return {
        engine,
        async close() {
          await engine.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  },
  ...installations.filter(({ lack }) => lack === null).map(postgres),
];

// For each missing engine, a skipped test shows that the suite did not run on it.
for (const { version, lack } of installations) {
  if (lack !== null) test.skip(`PostgreSQL ${version} (${lack})`, { tags: ['full'] });
}

/**
 * Defines a suite for each engine. `$name` is replaced by the engine's name. On PostgreSQL, the
 * suite has the tag `full`.
 */
export function describeEngines(name: string, suite: (engine: TestedEngine) => void): void {
  for (const engine of engines) {
    describe(name.replace('$name', engine.name), { tags: tagsOf(engine) }, () => suite(engine));
  }
}

/** Defines one test for each engine. */
export function testEngines(name: string, run: (engine: TestedEngine) => Promise<void>): void {
  for (const engine of engines) {
    test(name.replace('$name', engine.name), { tags: tagsOf(engine) }, () => run(engine));
  }
}

function tagsOf({ isFile }: TestedEngine): 'full'[] {
  return isFile ? [] : ['full'];
}

function postgres(installation: Installation): TestedEngine {
  return {
    name: `PostgreSQL ${installation.version}`,
    isFile: false,
    async open() {
      const { address, drop } = await makeClone(installation);
      const engine = await openCurrent(address);
      return {
        engine,
        async close() {
          await engine.close();
          await drop();
        },
      };
    },
  };
}
