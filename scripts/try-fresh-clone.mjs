// Acts like a new user. Clones the last commit of this repository into a temporary folder and runs
// `npm start` there. The npm cache is empty, and the PATH has no Python, make or compilers.
// Then runs `npm run build` and `npm run check`, each in a separate clone, with the npm cache that
// `npm start` has filled. The `node` in the PATH runs only npm and the setup, and refuses programs
// that must run on the repository's own Node.
// Fails if /api/health does not respond within the time limit, or if a script fails. Uses only
// modules built into Node 18.
//   node scripts/try-fresh-clone.mjs [SECONDS]
// SECONDS is the time limit, 180 by default.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { environmentForNpm } from './npm.mjs';
import { root } from './stamps.mjs';

const maxSeconds = Number(process.argv[2] ?? 180);
/** Timeout for a script, in seconds. */
const scriptSeconds = 900;
const buildTools =
  /^(.*-)?(python|pip|make|gmake|cmake|ninja|cc|gcc|g\+\+|c\+\+|c[89]9|cpp|clang|clang\+\+|tcc|ar|as|ld|lld|gold|node-gyp)([-.\d].*)?$/;

/**
 * A `node` script that runs npm, npx and the setup on the Node of this process. The script refuses
 * all other programs.
 */
const nodeOfSetup = `#!/bin/sh
case "$1" in
  */npm | */npx | */npm-cli.js | */npx-cli.js | scripts/setup.mjs) exec '${process.execPath}' "$@" ;;
esac
echo "this must run on the repository's own Node: $*" >&2
exit 1
`;

const folder = mkdtempSync(join(os.tmpdir(), 'catalog-fresh-clone-'));
/** All running `npm` processes. Each one leads its own process group. */
const running = new Set();
process.on('exit', cleanUp); // on a signal, npm.mjs exits this process

const env = newUsersEnvironment();
await tryStart();
const others = [() => tryScript('build'), () => tryScript('check')];
const cores = os.availableParallelism?.() ?? os.cpus().length; // Node 18.14 or later
if (cores > 1) await Promise.all(others.map((each) => each()));
else for (const each of others) await each();
process.exit(0);

/** Runs `npm start` and requests /api/health. While the server runs, also runs `npx catalog`. */
async function tryStart() {
  const clone = cloned('start');
  const startedAt = Date.now();
  const { server, url } = await startServer(clone);
  const response = await fetch(`${url}/api/health`);
  say(`GET /api/health answered ${response.status} after ${formatDuration(startedAt)}`);
  if (response.status !== 200) process.exit(1);
  const version = outputOf(clone, 'catalog', '--version');
  const node = outputOf(clone, 'node', '--version');
  say(`npx catalog is ${version} on Node ${node}`);
  end(server);
}

/** Runs an npm script and waits for its end. Prints its output if the script fails. */
async function tryScript(name) {
  const startedAt = Date.now();
  const { npm, printed, ended } = runNpm(cloned(name), ['run', name]);
  const code = await ended;
  end(npm); // ends processes that the script left running
  if (code !== 0) {
    process.stdout.write(printed());
    fail(name, `ended (${code})`);
  }
  say(`npm run ${name} succeeded after ${formatDuration(startedAt)}`);
}

function cloned(name) {
  const clone = join(folder, name);
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  return clone;
}

function newUsersEnvironment() {
  const inherited = Object.entries(environmentForNpm()).filter(
    ([name]) => !name.startsWith('CATALOG_'),
  );
  const npm = { npm_config_cache: join(folder, 'cache'), npm_config_prefer_offline: 'true' };
  return { ...Object.fromEntries(inherited), ...npm, PATH: pathWithoutBuildTools() };
}

/**
 * Creates a folder with links to all programs of this PATH except build tools. The `node` in this
 * folder runs only npm and the setup.
 */
function pathWithoutBuildTools() {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const from of folders.filter((each) => basename(each) !== '.bin')) {
    for (const name of programsIn(from).filter((each) => !buildTools.test(each))) {
      try {
        symlinkSync(join(from, name), join(bin, name));
      } catch (error) {
        if (error.code !== 'EEXIST') throw error; // an earlier PATH folder has this name
      }
    }
  }
  rmSync(join(bin, 'node'), { force: true });
  writeFileSync(join(bin, 'node'), nodeOfSetup, { mode: 0o755 });
  return bin;
}

function programsIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return []; // PATH may name folders that do not exist
  }
}

/** Runs `npm start` on a free port. Resolves to the URL that the server prints. */
async function startServer(clone) {
  const options = ['--host', '127.0.0.1', '--port', '0', '--data', join(folder, 'data')];
  const { npm, ended } = runNpm(clone, ['start', '--', ...options], {
    seconds: maxSeconds,
    stderr: 'inherit',
  });
  const failed = ended.then((code) => fail('start', `ended (${code})`));
  const printed = new Promise((resolve) => {
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      const found = /^Catalog is at (http:\S+)$/m.exec(output);
      if (found) resolve(found[1]);
    });
  });
  return { server: npm, url: await Promise.race([printed, failed]) };
}

/** Starts npm in a clone. The whole check fails if npm does not end within the timeout. */
function runNpm(clone, args, { seconds = scriptSeconds, stderr = 'pipe' } = {}) {
  const stdio = ['ignore', 'pipe', stderr];
  const npm = spawn('npm', args, { cwd: clone, env, detached: true, stdio });
  running.add(npm);
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const script = args.find((arg) => arg !== 'run');
  npm.on('error', (error) => fail(script, `could not be run: ${error.message}`));
  const late = () => {
    process.stdout.write(output);
    fail(script, `was not done within ${seconds} s (load ${os.loadavg()[0].toFixed(1)})`);
  };
  const timer = setTimeout(late, seconds * 1000).unref();
  const ended = new Promise((resolve) => {
    npm.on('close', (code, signal) => {
      clearTimeout(timer);
      if (running.has(npm)) resolve(code ?? signal);
    });
  });
  return { npm, printed: () => output, ended };
}

function outputOf(clone, ...command) {
  const stdio = ['ignore', 'pipe', 'ignore'];
  return execFileSync('npx', command, { cwd: clone, env, stdio, encoding: 'utf8' }).trim();
}

function fail(script, reason) {
  say(`npm ${script === 'start' ? script : `run ${script}`} ${reason}`);
  process.exit(1);
}

/** Kills an `npm` process and all processes that it started. */
function end(npm) {
  running.delete(npm);
  if (npm.pid === undefined) return;
  try {
    process.kill(-npm.pid, 'SIGKILL');
  } catch {
    // the process has already ended
  }
}

function cleanUp() {
  for (const npm of running) end(npm);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function formatDuration(startedAt) {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  return `${seconds} s (load ${os.loadavg()[0].toFixed(1)})`;
}

function say(line) {
  process.stdout.write(`fresh clone: ${line}\n`);
}
