import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the bundle; what is not bundled is Catalog's source, which changes. */
const isBundled = import.meta.url.endsWith('.js');

/**
 * Keeps the code as V8 compiles it, for the next start, in a folder beside it: `dist/.compiled`. Node writes there when the
 * program ends, and takes nothing that does not belong to the code and to itself (node:module, "Module compile cache").
 * Only the owner of the code keeps some: others could put code there that the owner runs, and root would leave
 * files that the owner cannot remove. Says nothing where it cannot be.
 */
export function keepCompiledCode(): void {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  if (!isBundled || statSync(folder).uid !== process.getuid?.()) return;
  enableCompileCache(join(folder, '.compiled'));
}
