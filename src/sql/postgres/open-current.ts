import type { Engine } from '../engine.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { openPostgres } from './open.ts';

/**
 * Opens the database at an address after creating its tables, or upgrading them to this program's version. Throws
 * refused() with a line that names the database when it cannot be used.
 */
export function openCurrent(address: string): Promise<Engine> {
  return openPostgres(address, {
    prepare: (connection, name) => migrate(connection, name, migrations),
  });
}
