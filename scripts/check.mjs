// The check command. Runs every step, even after a failure. Names the failed steps and prints their
// output.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ownNode, root } from './stamps.mjs';

const modules = (path) => join(root, 'node_modules', path);

const steps = [
  // format and lint of the whole tree
  ['format and lint', modules('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
  ['types', modules('typescript/bin/tsc'), '--noEmit'],
  // the page: its API types match the server's, and its components are valid
  ['page types', join(root, 'scripts', 'page-types.ts'), '--check'],
  ['page', join(root, 'scripts', 'check-page.mjs')],
  // the tables of settings in the documents match the settings
  ['settings table', join(root, 'scripts', 'settings-table.ts'), '--check'],
  // the dependency rule of docs/architecture.md, with a planted violation for each part of the rule
  ['dependency rule', join(root, 'test', 'architecture', 'check.ts')],
  // the OpenAPI documents of both APIs
  ['openapi', join(root, 'scripts', 'lint-openapi.ts')],
];

const results = await inParallel(steps, availableParallelism());
const failed = results.filter((ok) => !ok).length;
process.stdout.write(
  failed === 0 ? 'check: all is well\n' : `check: ${failed} of ${steps.length} steps failed\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function inParallel(waiting, workers) {
  const queue = [...waiting];
  const done = [];
  const work = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) done.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: workers }, work));
  return done;
}

async function runStep([name, ...args]) {
  const started = Date.now();
  const { code, output } = await run(args);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${output.trimEnd()}\n\n`);
  return code === 0;
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(ownNode, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
