import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/sql/engine.ts';
import { openDatabase } from '../../src/sql/open.ts';

/** The engines that every contract of an adapter in SQL is run against. Each `open` gives a new, empty database. */
export const engines: {
  name: string;
  open(): Promise<{ engine: Engine; close(): Promise<void> }>;
}[] = [
  {
    name: 'SQLite',
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
];
