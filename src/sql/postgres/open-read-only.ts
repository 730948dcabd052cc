import { refused } from '../../core/shared/errors.ts';
import type { ReadOnlyDatabase } from '../engine/engine.ts';
import { findVersion } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openPostgres } from './open.ts';

/**
 * Opens the database at `url` read-only, without creating or upgrading anything. Throws
 * refused() if the database cannot be read; the message names the database.
 */
export async function openReadOnly(url: string): Promise<ReadOnlyDatabase> {
  let version: number | null = null;
  const engine = await openPostgres(url, {
    async prepare(connection) {
      version = await findVersion(connection);
    },
  });
  return {
    read: engine.read,
    version,
    knownVersion: migrations.at(-1)?.version ?? 0,
    async checkIntegrity() {
      const fault = await engine.findFault();
      if (fault !== null) throw refused(`the database ${engine.name} is damaged: ${fault}`);
    },
    close: () => engine.close(),
  };
}
