import { refused } from '../../core/shared/errors.ts';
import type { ReadOnlyDatabase } from '../engine.ts';
import { findVersion } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openPostgres } from './open.ts';

/**
 * Opens the database at a URL for reading: nothing is created or upgraded. Throws refused() with a
 * line that names the database when it cannot be read.
 */
export async function openReadOnly(address: string): Promise<ReadOnlyDatabase> {
  let version: number | null = null;
  const engine = await openPostgres(address, {
    async prepare(connection) {
      version = await findVersion(connection);
    },
  });
  return {
    read: engine.read,
    version,
    knownVersion: migrations.at(-1)?.version ?? 0,
    async checkWhole() {
      const fault = await engine.findFault();
      if (fault !== null) throw refused(`the database ${engine.name} is damaged: ${fault}`);
    },
    close: () => engine.close(),
  };
}
