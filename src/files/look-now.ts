import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainName } from './locate.ts';

const asks = { bigint: true, throwIfNoEntry: false } as const;

/**
 * Returns the current state of these names of a folder (`FileArea.lookNow`). Returns null for
 * links, whose targets would have to be looked up, and for unreadable files. It blocks for half a
 * microsecond per name if the system has looked at it recently, so use it for names that were just
 * requested.
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
