import { refused } from '../../core/shared/errors.ts';
import { checkCurrent } from '../engine/check-current.ts';
import type { Engine } from '../engine/engine.ts';
import { findVersion, migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { type OnWait, openPostgres } from './open.ts';

/**
 * Opens the database at a URL. Creates the tables in an empty database, unless `mustExist` is set.
 * Upgrades a database of an older version, or throws refused() for it if `mustBeCurrent` is set.
 * Throws refused() if the database cannot be used; the message names the database.
 */
export function openCurrent(
  url: string,
  {
    mustExist = false,
    mustBeCurrent = false,
    connections,
    onWait,
  }: {
    mustExist?: boolean;
    mustBeCurrent?: boolean;
    connections?: number;
    onWait?: OnWait;
  } = {},
): Promise<Engine> {
  return openPostgres(url, {
    connections,
    ...(onWait && { onWait }),
    async prepare(connection, name) {
      const version = mustExist || mustBeCurrent ? await findVersion(connection) : null;
      if (mustExist && version === 0) {
        throw refused(
          `there is no catalogue in ${name}: check --database ("catalog serve" and "catalog import" create one)`,
        );
      }
      if (mustBeCurrent) {
        checkCurrent(version, migrations.at(-1)?.version ?? 0, `the database in ${name}`);
      }
      await migrate(connection, name, migrations);
    },
  });
}
