import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { pollOptions } from './test/support/poll-options.ts';

declare module 'vitest' {
  interface TestTags {
    tags: 'full';
  }
}

// The server's threads are loaded without Vite, so Node caches their code, compiled and without
// types.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/catalog-tests');

export default defineConfig({
  // for the page's classes with state, `*.svelte.ts`
  plugins: [svelte({ configFile: false })],
  test: {
    include: ['test/**/*.test.ts', 'page/test/**/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/data/new-catalogue.ts',
      'test/support/postgres/run-folder.ts',
    ],
    // `npm test` leaves them out; `/** @module-tag full */` marks all tests of a file
    tags: [{ name: 'full', description: 'what only npm run test:full runs', timeout: 180_000 }],
    reporters: ['default', 'test/support/end-of-run.ts'],
    // much longer than any test takes, because the machine may be busy
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: pollOptions },
    fsModuleCache: true,
    pool: 'forks',
    maxWorkers: 2,
  },
});
