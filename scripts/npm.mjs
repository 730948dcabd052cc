// Runs npm and other programs for the setup. Uses only modules built into Node 18.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { root } from './stamps.mjs';

// Matches settings of the outer npm that also apply here, which are only the settings for reaching
// the registry. Other settings, such as omit, prefix or dry-run, belong to another command. .npmrc
// files still apply.
const registrySettings =
  /^npm_config_(\/\/.*|@.*|_.*|registry|ca|cafile|cert|key|(https?_)?proxy|noproxy|strict_ssl|userconfig|globalconfig|cache|offline|prefer_offline|prefer_online|fetch_.*|maxsockets)$/;

let running = null;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (running) running.kill(signal);
    else process.exit(1);
  });
}

/**
 * Runs the npm that started this process, or the npm in PATH. If `ownNode` is set, npm runs on that
 * Node. Returns the same as `run`.
 */
export function runNpm(args, ownNode) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const isNpm = /npm-cli\.c?js$/.test(npm ?? '');
  const command = isNpm ? (ownNode ?? node ?? process.execPath) : 'npm';
  const env = environmentForNpm();
  if (ownNode !== undefined) env[pathName(env)] = dirname(ownNode) + delimiter + env[pathName(env)];
  return run(command, isNpm ? [npm, ...args] : args, env);
}

/**
 * Returns a copy of the environment without the settings of the outer npm. The settings for
 * reaching the registry are included.
 */
export function environmentForNpm() {
  const isInherited = (name) => {
    const plain = name.toLowerCase().replace(/-/g, '_');
    return plain.startsWith('npm_') ? registrySettings.test(plain) : plain !== 'node_env';
  };
  const inherited = Object.entries(process.env).filter(([name]) => isInherited(name));
  const env = Object.fromEntries(inherited);
  // the setup must not run on the Node that it is about to replace
  const path = pathName(env);
  const own = join(root, 'node_modules', '.bin');
  env[path] = (env[path] ?? '')
    .split(delimiter)
    .filter((part) => part !== own)
    .join(delimiter);
  return env;
}

function pathName(env) {
  return Object.keys(env).find((name) => name.toLowerCase() === 'path') ?? 'PATH';
}

/**
 * Runs a program and waits for its end. Returns its exit code (or the name of the signal) and its
 * output.
 */
export function run(command, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command === 'npm' && process.platform === 'win32',
    });
    running = child;
    let output = '';
    const append = (chunk) => {
      output += chunk;
    };
    const end = (code) => {
      running = null;
      resolve({ code, output });
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', (error) => append(`${error.message}\n`));
    child.on('close', (code, signal) => end(code ?? signal));
  });
}
