// Makes a clone ready to run: dependencies with their own Node, a database driver that loads, a current dist.
// npm runs it before start, test and the others, on whatever Node is there: plain JavaScript, built-ins
// only, Node 18 or later. Says nothing when there is nothing to do.
//   node scripts/setup.mjs [--no-build]
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { run, runNpm } from './npm.mjs';
import {
  buildStamp,
  buildStampFile,
  installStamp,
  installStampFile,
  ownNode,
  readStamp,
  root,
} from './stamps.mjs';

const wantsBuild = !process.argv.includes('--no-build');
const lockFolder = join(root, '.setup-lock');
const isInstalled = () => readStamp(installStampFile) === installStamp() && existsSync(ownNode);
const isBuilt = () => readStamp(buildStampFile(join(root, 'dist'))) === buildStamp();
const isReady = () => isInstalled() && (!wantsBuild || isBuilt());
const say = (line) => process.stderr.write(`setup: ${line}\n`);

class SetupError extends Error {}

try {
  if (!isReady()) await withLock(lockFolder, sayWaiting, setUp);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

async function setUp() {
  if (!isInstalled()) await install();
  if (wantsBuild && !isBuilt()) await build();
}

async function install() {
  if (!matchesLock()) {
    say('installing dependencies (npm ci)');
    rmSync(installStampFile, { force: true });
    // the engines asked for are not those of the Node that installs, which may be older
    await npm('ci', '--include=dev', '--engine-strict=false', '--no-audit', '--no-fund');
  }
  await checkOwnNode();
  await checkDatabaseDriver();
  writeFileSync(installStampFile, installStamp());
}

/** True when node_modules was made by an `npm install` by hand from this very lock file. */
function matchesLock() {
  const hidden = readJson('node_modules/.package-lock.json')?.packages;
  if (!hidden || !existsSync(ownNode)) return false;
  const wanted = readJson('package-lock.json').packages;
  const isSame = (name) =>
    hidden[name]
      ? hidden[name].version === wanted[name]?.version &&
        hidden[name].integrity === wanted[name]?.integrity
      : name === '' || wanted[name].optional === true;
  return [...Object.keys(hidden), ...Object.keys(wanted)].every(isSame);
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch {
    return null;
  }
}

async function checkOwnNode() {
  const result = await run(ownNode, ['--version']);
  if (result.code === 0) return;
  failWith(
    result,
    `${ownNode} does not run; it comes with npm's install scripts: are they switched off (ignore-scripts)?`,
  );
}

async function checkDatabaseDriver() {
  const probe = () => run(ownNode, ['-e', "new (require('better-sqlite3'))(':memory:').close()"]);
  if ((await probe()).code === 0) return;
  say('building better-sqlite3 (npm rebuild)');
  await npm('rebuild', 'better-sqlite3');
  const result = await probe();
  if (result.code !== 0) failWith(result, 'better-sqlite3 does not load on this machine');
}

async function build() {
  say('building dist');
  const result = await run(ownNode, [join(root, 'scripts', 'build.mjs')]);
  if (result.code !== 0) failWith(result, 'the build failed');
}

async function npm(...args) {
  const result = await runNpm(args);
  if (result.code !== 0) failWith(result, `npm ${args[0]} failed (exit code ${result.code})`);
}

/** Shows the end of what a failed step printed, then fails with one line. */
function failWith({ output }, message) {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'));
  for (const line of lines.slice(-40)) process.stderr.write(`${line}\n`);
  throw new SetupError(message);
}

function sayWaiting(pid) {
  say(`waiting for another setup in this clone (process ${pid})`);
}
