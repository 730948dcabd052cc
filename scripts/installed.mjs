// Checks the contents of node_modules, and whether its native modules run on this machine. Uses
// only modules built into Node 18.
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run } from './npm.mjs';
import { reasonOf, SetupError } from './setup-error.mjs';
import { ownNode, root } from './stamps.mjs';

// npm puts this folder first in the PATH of its scripts and of npx
const ownNodeLink = join(root, 'node_modules', '.bin', 'node');

/** Returns true if npm's scripts and npx find the Node that the clone installs. */
export function isOwnNodeLinked() {
  return existsSync(process.platform === 'win32' ? ownNode : ownNodeLink);
}

/**
 * Returns true if node_modules was installed from the current package-lock.json. The setup or `npm
 * install` may have installed it.
 */
export function matchesLock() {
  const hidden = readJson('node_modules/.package-lock.json')?.packages;
  if (!hidden || !existsSync(ownNode)) return false;
  const wanted = readJson('package-lock.json').packages;
  const isSame = (name) =>
    hidden[name]
      ? hidden[name].version === wanted[name]?.version &&
        hidden[name].integrity === wanted[name]?.integrity &&
        existsSync(join(root, name)) // npm may have written its list but not installed the package
      : name === '' || (wanted[name].optional === true && !isForMachine(wanted[name]));
  return [...Object.keys(hidden), ...Object.keys(wanted)].every(isSame);
}

/** Returns true if a package contains a binary for this machine. */
function isForMachine({ os = [], cpu = [], libc }) {
  const isForLibc = libc === undefined || libc.includes(ownLibc());
  return os.includes(process.platform) && cpu.includes(process.arch) && isForLibc;
}

function ownLibc() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

export async function checkOwnNode() {
  if (!existsSync(ownNode)) {
    const machine = `${process.platform}-${process.arch}`;
    throw new SetupError(`scripts/node/package.json names no Node for this machine (${machine})`);
  }
  const result = await run(ownNode, ['--version']);
  if (result.code !== 0) throw new SetupError(`${ownNode} does not run here: ${reasonOf(result)}`);
}

/**
 * Restores the link to the clone's Node. Versions of npm before 11 remove the link when they remove
 * the Nodes for other machines.
 */
export function linkOwnNode() {
  if (isOwnNodeLinked()) return;
  rmSync(ownNodeLink, { force: true });
  symlinkSync(relative(dirname(ownNodeLink), ownNode), ownNodeLink);
}

/**
 * Loads each package that contains a native binary. Compiles nothing. Throws if a package does not
 * load on this machine.
 */
export async function checkNativeModules() {
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

function readJson(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch {
    return null;
  }
}
