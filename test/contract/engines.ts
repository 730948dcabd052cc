import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/sql/engine.ts';
import { openDatabase } from '../../src/sql/open.ts';

/** Every engine that Catalog knows, each with a way to open a new, empty database. The suites run for all of them. */
export const engines: {
  name: string;
  open(): Promise<{ engine: Engine; close(): Promise<void> }>;
}[] = [{ name: 'SQLite', open: openSqlite }];

async function openSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-contract-'));
  const engine = await openDatabase(join(folder, 'catalog.db'));
  const close = async () => {
    await engine.close();
    await rm(folder, { recursive: true });
  };
  return { engine, close };
}
