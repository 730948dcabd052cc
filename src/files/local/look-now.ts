import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainName } from './locate.ts';

const asks = { bigint: true, throwIfNoEntry: false } as const;

/**
 * Implements `FileArea.lookNow`: returns a text that identifies the current state of the files with
 * these names. Returns null if any file is unreadable or a link, because a link's target would have
 * to be looked up. Blocks for half a microsecond per name if the system has the file's metadata
 * cached. So use this function only for names that were just requested.
 */
export function lookNow(folder: string, names: readonly string[]): string | null {
  let found = '';
  try {
    for (const name of names) {
      const stat = isPlainName(name) ? lstatSync(join(folder, name), asks) : undefined;
      if (stat === undefined) found += '-,';
      else if (stat.isFile()) found += `${stat.ino}/${stat.size}/${stat.mtimeNs}/${stat.ctimeNs},`;
      else return null;
    }
  } catch {
    return null;
  }
  return found;
}
