import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Whether this is the bundle; otherwise it is Catalog's source, which changes. */
const isBundled = import.meta.url.endsWith('.js');

/**
 * Caches the code that V8 compiled in a folder next to it, `dist/.compiled`, for the next start.
 * Node writes there when the program ends, and ignores entries of other code or other Node versions
 * (node:module, "Module compile cache"). Only the owner of the code caches it. Other users could
 * put code there that the owner runs, and root would leave files that the owner cannot remove. Does
 * nothing if caching is not possible.
 */
export function keepCompiledCode(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  if (!isBundled || statSync(folder).uid !== process.getuid?.()) return;
  enableCompileCache(join(folder, '.compiled'));
}
