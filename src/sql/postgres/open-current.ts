import { refused } from '../../core/shared/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { findVersion, migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { type OnStarting, openPostgres } from './open.ts';

/**
 * Opens the database at a URL. Creates the tables in an empty database, unless `mustExist` is set.
 * Upgrades a database of an older version. Throws refused() if the database cannot be used; the
 * message names the database.
 */
export function openCurrent(
  address: string,
  {
    mustExist = false,
    connections,
    onStarting,
  }: { mustExist?: boolean; connections?: number; onStarting?: OnStarting } = {},
): Promise<Engine> {
  return openPostgres(address, {
    connections,
    ...(onStarting && { onStarting }),
    async prepare(connection, name) {
      if (mustExist && (await findVersion(connection)) === 0) {
        throw refused(
          `there is no catalogue in ${name}: check --database ("catalog serve" and "catalog import" create one)`,
        );
      }
      await migrate(connection, name, migrations);
    },
  });
}
