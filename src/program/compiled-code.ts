import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * True if this file is part of the built program. Otherwise the program runs from its source, which
 * may change.
 */
const isBundled = import.meta.url.endsWith('.js');

/**
 * Caches V8's compiled code for the next start, in the folder `.compiled` in `dist`. Node writes
 * the cache when the program ends. Node ignores entries for other code or other Node versions
 * (node:module, "Module compile cache").
 *
 * Does nothing unless the current user owns the program's files. Otherwise another user could write
 * code that the owner then runs, and root would leave files that the owner cannot remove. A failure
 * to cache is ignored.
 */
export function enableCodeCache(): void {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  if (!isBundled || statSync(folder).uid !== process.getuid?.()) return;
  enableCompileCache(join(folder, '.compiled'));
}
