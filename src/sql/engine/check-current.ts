import { refused } from '../../core/shared/errors.ts';

/**
 * Throws refused() if a database has an older schema version than this program, which is `known`.
 * Other versions pass. The message calls the database `name`.
 */
export function checkCurrent(version: number | null, known: number, name: string): void {
  if (version === null || version === 0 || version >= known) return;
  throw refused(
    `${name} is of version ${version}, and this command needs version ${known}: start "catalog serve" of this version, which upgrades it, or use the older catalog`,
  );
}
