import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import type { Engine } from '../../src/sql/engine.ts';
import { openDatabase } from '../../src/sql/open.ts';
import { openCurrent } from '../../src/sql/postgres/open-current.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { type Installation, installations } from '../support/postgres/installations.ts';

interface TestedEngine {
  readonly name: string;
  /** Whether its database is a file of this machine. */
  readonly isFile: boolean;
  /** A new, empty database. */
  open(): Promise<{ engine: Engine; close(): Promise<void> }>;
}

/** The engines that every contract of an adapter in SQL is run against: those that this machine has. */
export const engines: TestedEngine[] = [
  {
    name: 'SQLite',
    isFile: true,
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'catalog-contract-'));
      const engine = await openDatabase(join(folder, 'catalog.db'));
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

// Whoever runs a suite on all engines is told of those that it was not run on.
for (const { version, lack } of installations) {
  if (lack !== null) test.skip(`PostgreSQL ${version} (${lack})`);
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
