import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainName } from './locate.ts';

const asks = { bigint: true, throwIfNoEntry: false } as const;

/**
 * What these names of a folder stand for at this moment (`FileArea.lookNow`): null for links, whose targets would have to be
 * looked for, and for what cannot be read. It blocks for half a microsecond per name when the system has looked at it
 * lately; so it is for names that were just asked for.
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
