import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface TestTags {
    tags: 'full';
  }
}

// The threads of the server are loaded without Vite: Node keeps their code without its types, and compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/catalog-tests');

export default defineConfig({
  // for the page's classes with state, `*.svelte.ts`
  plugins: [svelte({ configFile: false })],
  test: {
    include: ['test/**/*.test.ts', 'page/test/**/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/new-catalogue.ts',
      'test/support/postgres/run-folder.ts',
    ],
    // `npm test` leaves them out; `/** @module-tag full */` marks all tests of a file
    tags: [{ name: 'full', description: 'what only npm run test:full runs', timeout: 180_000 }],
    reporters: ['default', 'test/support/end-of-run.ts'],
    // far more than any of them takes: a machine may be busy with other things
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // what a page comes to may take a while on a loaded machine
    expect: { poll: { timeout: 30_000 } },
    fsModuleCache: true,
    pool: 'forks',
    maxWorkers: 2,
  },
});
