// Does what a new user does: clones this repository (its last commit) into a temporary folder and runs `npm start`
// there, with an empty npm cache and a PATH without Python, make and compilers. Fails when /api/health is not
// answered within the bound. Built-ins only, Node 18 or later.
//   node scripts/try-fresh-clone.mjs [SECONDS]   the bound, 180 unless given
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentForNpm } from './npm.mjs';
import { root } from './stamps.mjs';

const boundSeconds = Number(process.argv[2] ?? 180);
const buildTools =
  /^(.*-)?(python|pip|make|gmake|cmake|ninja|cc|gcc|g\+\+|c\+\+|c[89]9|cpp|clang|clang\+\+|tcc|ar|as|ld|lld|gold|node-gyp)([-.\d].*)?$/;

const folder = mkdtempSync(join(tmpdir(), 'catalog-fresh-clone-'));
let server;
process.on('exit', cleanUp); // npm.mjs exits at a signal

const clone = join(folder, 'clone');
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
const env = newUsersEnvironment();
const begun = Date.now();
const address = await startServer();
const answer = await fetch(`${address}/api/health`);
const seconds = ((Date.now() - begun) / 1000).toFixed(1);
say(
  `GET /api/health answered ${answer.status} after ${seconds} s (load ${loadavg()[0].toFixed(1)})`,
);
if (answer.status !== 200) process.exit(1);
const version = printedBy('catalog', '--version');
const node = printedBy('node', '--version');
say(`npx catalog is ${version} on Node ${node}`);
process.exit(0);

function newUsersEnvironment() {
  const kept = Object.entries(environmentForNpm()).filter(([name]) => !name.startsWith('CATALOG_'));
  const cache = join(folder, 'cache');
  return { ...Object.fromEntries(kept), npm_config_cache: cache, PATH: pathWithoutBuildTools() };
}

/** One folder of links to every program of this PATH but those that compile. */
function pathWithoutBuildTools() {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const from of folders.filter((each) => basename(each) !== '.bin')) {
    for (const name of programsIn(from).filter((each) => !buildTools.test(each))) {
      try {
        symlinkSync(join(from, name), join(bin, name));
      } catch (error) {
        if (error.code !== 'EEXIST') throw error; // an earlier folder of PATH has it too
      }
    }
  }
  return bin;
}

function programsIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return []; // PATH may name folders that do not exist
  }
}

/** Runs `npm start` on a free port; resolves to the address that it prints. */
function startServer() {
  const args = [
    'start',
    '--',
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
  ];
  server = spawn('npm', args, {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const fail = (reason) => {
    say(`npm start ${reason}`);
    process.exit(1);
  };
  server.on('error', (error) => fail(`could not be run: ${error.message}`));
  server.on('exit', (code, signal) => fail(`ended (${code ?? signal})`));
  sleep(boundSeconds * 1000, null, { ref: false }).then(() =>
    fail(`served nothing within ${boundSeconds} s (load ${loadavg()[0].toFixed(1)})`),
  );
  return new Promise((resolve) => {
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      const found = /^Catalog is at (http:\S+)$/m.exec(output);
      if (found) resolve(found[1]);
    });
  });
}

function printedBy(...command) {
  const stdio = ['ignore', 'pipe', 'ignore'];
  return execFileSync('npx', command, { cwd: clone, env, stdio, encoding: 'utf8' }).trim();
}

/** Ends `npm start` with all that it started, which is a process group of its own. */
function cleanUp() {
  if (server?.pid !== undefined) {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // it has ended
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function say(line) {
  process.stdout.write(`fresh clone: ${line}\n`);
}
