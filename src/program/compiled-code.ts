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
 * Only the owner of the program's files uses the cache. Otherwise other users could write code that
 * the owner then runs. Root would leave files that the owner cannot remove. If caching is not
 * possible, nothing happens.
 */
export function enableCodeCache(): void {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  if (!isBundled || statSync(folder).uid !== process.getuid?.()) return;
  enableCompileCache(join(folder, '.compiled'));
}
