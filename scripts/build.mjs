// Bundles src into dist and concurrently builds the page into dist/page. Replaces dist in one step.
// A failed build, or two builds at the same time, therefore never leave a partial dist. Uses only
// modules built into Node.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from './build-page.mjs';
import { buildStamp, buildStampFile, root } from './stamps.mjs';

const stamp = buildStamp(); // taken before compiling, so that later edits count as newer
removeAbandoned();
const work = mkdtempSync(join(root, '.dist-'));
const fresh = join(work, 'new');
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const built = await Promise.all([buildServer(), buildPage(join(work, 'page'), stamp.trim(), run)]);
if (built.includes(false)) {
  process.stderr.write('build: failed, dist is as it was\n');
  process.exit(1);
}
renameSync(join(work, 'page'), join(fresh, 'page'));
writeFileSync(buildStampFile(fresh), stamp);
replaceDist();

/** Removes leftovers of killed builds if they are over an hour old. */
function removeAbandoned() {
  for (const name of readdirSync(root).filter((each) => each.startsWith('.dist-'))) {
    const age = Date.now() - (statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > 3_600_000) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function buildServer() {
  return run([join(root, 'scripts', 'build-server.mjs'), fresh], { cwd: root });
}

/** Runs a program of the clone and shows its output. Resolves to true if the program succeeded. */
function run(args, options) {
  // With the `test` of a test run, or the `development` of a shell, the page would log warnings.
  const env = { ...process.env, ...options.env, NODE_ENV: 'production' };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { ...options, env, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

function replaceDist() {
  const dist = join(root, 'dist');
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(dist, join(work, `old-${attempt}`));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(fresh, dist);
      return;
    } catch (error) {
      if (attempt === 10) throw error; // another build has moved its dist there in the meantime
    }
  }
}
