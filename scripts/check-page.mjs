// Type-checks the page, its components, and the tests that run partly in a browser. Uses only
// modules built into Node.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './stamps.mjs';

const modules = (path) => join(root, 'node_modules', path);
const run = (...args) =>
  spawnSync(process.execPath, args, { cwd: join(root, 'page'), stdio: 'inherit' }).status === 0;

// `svelte-kit sync` writes the tsconfig that page/tsconfig.json extends
const isValid =
  run(modules('@sveltejs/kit/svelte-kit.js'), 'sync') &&
  run(modules('svelte-check/bin/svelte-check'), '--fail-on-warnings', '--output', 'human') &&
  run(modules('typescript/bin/tsc'), '--noEmit', '-p', join('..', 'test', 'page'));
process.exitCode = isValid ? 0 : 1;
