import { fileURLToPath } from 'node:url';

/** The built command line, which starts faster than its source; `build.ts` keeps it up to date. */
export const programFile = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
