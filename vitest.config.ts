import { globSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { configDefaults, defineConfig } from 'vitest/config';
import { pollOptions } from './test/support/poll-options.ts';
import { findUnselected } from './test/support/selected-files.ts';

declare module 'vitest' {
  interface TestTags {
    tags: 'full';
  }
}

// The server's threads are loaded without Vite, so Node caches their code, compiled and without
// types.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/catalog-tests');

const files = ['test/**/*.test.ts', 'page/test/**/*.test.ts'];
const unselected = findUnselected(process.argv.slice(2), globSync(files));

/** Files that change or measure the process in which they run, its caches, or its memory. */
const alone = [
  'test/contract/files/local-area.test.ts',
  'test/disk/containers/hostile-images.test.ts',
  'test/disk/{unpack-thread,unpacker-isolation}.test.ts',
  'test/{architecture,faults,memory,package,several}/**/*.test.ts',
];

/**
 * The other files share their workers, because importing the server anew takes a second. A worker
 * ends with the files of its group, which bounds its memory.
 */
const groups = [
  'api',
  'cli',
  'contract',
  'disk',
  'imports',
  'library',
  'page',
  'response-cache',
  'sql',
  'store',
];
const filesOf = (group: string) => `test/${group}/**/*.test.ts`;
const sharing = [
  ...groups.map((name) => ({ name, include: [filesOf(name)], exclude: alone })),
  { name: 'others', include: files, exclude: [...alone, ...groups.map(filesOf)] },
].map((test) => ({ extends: true as const, test: { ...test, isolate: false } }));

export default defineConfig({
  // for the page's classes with state, `*.svelte.ts`
  plugins: [svelte({ configFile: false })],
  test: {
    exclude: [...configDefaults.exclude, ...unselected],
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
    // one more than the cores of a small machine, because tests also wait for processes and pages
    maxWorkers: 3,
    projects: [
      // Several servers, killed and starved of connections, keep two cores busy.
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 2, sequence: { groupOrder: 1 } },
      },
      ...sharing,
    ],
  },
});
