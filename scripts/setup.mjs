// Makes a clone ready to run: dependencies with their own Node, native modules that load, and a
// current dist. npm runs this script before start, test and other scripts, on any installed Node.
// This script is therefore plain JavaScript and uses only modules built into Node 18. Needs no
// Python, compiler or headers. Prints nothing if there is nothing to do.
//   node scripts/setup.mjs [--no-build]
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkNativeModules,
  checkOwnNode,
  isOwnNodeLinked,
  linkOwnNode,
  matchesLock,
} from './installed.mjs';
import { withLock } from './lock.mjs';
import { run, runNpm } from './npm.mjs';
import { failWith, SetupError } from './setup-error.mjs';
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
const isInstalled = () => readStamp(installStampFile) === installStamp() && isOwnNodeLinked();
const isBuilt = () => readStamp(buildStampFile(join(root, 'dist'))) === buildStamp();
const isReady = () => isInstalled() && (!wantsBuild || isBuilt());
const say = (line) => process.stderr.write(`setup: ${line}\n`);

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
    await runNpmHere('ci');
  }
  await checkOwnNode();
  // npm silently skips binaries that require a newer Node than the one on which npm runs
  if (!matchesLock()) await runNpmHere('install', { args: ['--no-save'], node: ownNode });
  linkOwnNode();
  await checkNativeModules();
  writeFileSync(installStampFile, installStamp());
}

/**
 * Runs npm without install scripts. No package needs an install script. With scripts, npm would
 * compile better-sqlite3, although the package contains binaries.
 */
async function runNpmHere(command, { args = [], node } = {}) {
  const settings = [
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    // npm may run on a Node older than the required engines
    '--engine-strict=false',
    // fail within seconds if the registry is unreachable; npm's default pauses between retries add
    // up to minutes
    '--fetch-retry-mintimeout=2000',
    '--no-audit',
    '--no-fund',
  ];
  const result = await runNpm([command, ...args, ...settings], node);
  if (result.code === 0) return;
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(result.output)?.[1];
  if (!isUnreachable(code)) failWith(result, `npm ${command} failed (${code ?? result.code})`);
  throw new SetupError(
    `npm cannot reach its registry (${code}): installing needs the network, or a full npm cache`,
  );
}

function isUnreachable(code) {
  return /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|E\w*TIMEDOUT|E\w+UNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)$/.test(
    code,
  );
}

async function build() {
  say('building dist');
  const result = await run(ownNode, [join(root, 'scripts', 'build.mjs')]);
  if (result.code !== 0) failWith(result, 'the build failed');
}

function sayWaiting(pid) {
  say(`waiting for another setup in this clone (process ${pid})`);
}
