// Makes a clone ready to run: dependencies with their own Node, native modules that load, a current dist.
// npm runs it before start, test and the others, on whatever Node is there: plain JavaScript, built-ins
// only, Node 18 or later. Needs no Python, compiler or headers. Says nothing when there is nothing to do.
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
    say('installing dependencies and their own Node (npm ci)');
    rmSync(installStampFile, { force: true });
    await npmCi();
  }
  await checkOwnNode();
  await checkNativeModules();
  writeFileSync(installStampFile, installStamp());
}

/**
 * Without install scripts: no dependency needs one, and npm would compile better-sqlite3, whose binaries lie in
 * its package.
 */
async function npmCi() {
  const result = await runNpm([
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    // the engines asked for are not those of the Node that installs, which may be older
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
  ]);
  if (result.code === 0) return;
  const offline =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|E\w*TIMEDOUT|E\w+UNREACH|ENOTCACHED)\b/;
  const reason = offline.exec(result.output)?.[0];
  if (reason === undefined) failWith(result, `npm ci failed (exit code ${result.code})`);
  throw new SetupError(
    `npm cannot reach the package registry (${reason}), which the first start and each update need`,
  );
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
  const { platform, arch } = process;
  if (!existsSync(ownNode)) {
    throw new SetupError(
      `scripts/node/package.json names no Node for this machine (${platform}-${arch})`,
    );
  }
  const result = await run(ownNode, ['--version']);
  if (result.code !== 0) throw new SetupError(`${ownNode} does not run here: ${reasonOf(result)}`);
}

/** Loads each package that holds a native binary; nothing is compiled when it does not fit. */
async function checkNativeModules() {
  const uses = {
    'better-sqlite3': "new (require('better-sqlite3'))(':memory:')",
    '@node-rs/argon2': "require('@node-rs/argon2')",
  };
  for (const [name, use] of Object.entries(uses)) {
    const result = await run(ownNode, ['-e', use]);
    if (result.code === 0) continue;
    throw new SetupError(`the binary of ${name} does not load here: ${reasonOf(result)}`);
  }
}

async function build() {
  say('building dist');
  const result = await run(ownNode, [join(root, 'scripts', 'build.mjs')]);
  if (result.code !== 0) failWith(result, 'the build failed');
}

/** The one line of a failed program's output that says why. */
function reasonOf({ code, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.find((line) => /^(\w*Error\b.*?:|spawn )/.test(line)) ?? lines[0] ?? `ended with ${code}`
  );
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
