import type { Engine } from './engine.ts';
import { openCurrent } from './sqlite/open-current.ts';

/**
 * Opens the database with `readers` (2) connections that read, creating it where it is missing and upgrading it from an
 * older version; before an upgrade it is copied to the folder `backups` beside it. The one place that chooses an
 * engine. Throws refused() with a line that names the file when it cannot be used.
 */
export function openDatabase(file: string, options: { readers?: number } = {}): Promise<Engine> {
  return openCurrent(file, options);
}
