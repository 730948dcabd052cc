import { fileURLToPath } from 'node:url';

/**
 * Path of the built command line, which starts faster than its source. `build.ts` keeps the build
 * up to date.
 */
export const programFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
