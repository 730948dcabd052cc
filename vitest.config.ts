import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // for the page's classes with state, `*.svelte.ts`
  plugins: [svelte({ configFile: false })],
  test: {
    include: ['test/**/*.test.ts', 'page/test/**/*.test.ts'],
    globalSetup: ['test/support/postgres/run-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // what a page comes to may take a while on a loaded machine
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
