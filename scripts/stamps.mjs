// Stamps identify the inputs from which node_modules and dist were made. Uses only modules built
// into Node 18.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the clone. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The Node that scripts/node/package.json installs. Everything except the setup itself runs on this
 * Node.
 */
export const ownNode = join(root, 'node_modules', ...ownNodeFile());

export const installStampFile = join(root, 'node_modules', '.catalog-setup');
export const buildStampFile = (dist) => join(dist, '.stamp');

/** Returns the stamp that a current node_modules has. */
export function installStamp() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

/**
 * Returns the stamp that a current dist has: a hash of the names and contents of all build inputs.
 */
export function buildStamp() {
  const hash = createHash('sha256');
  const inputs = [
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/build-server.mjs',
    'scripts/build-page.mjs',
    ...filesBelow('src'),
    'page/tsconfig.json',
    'page/vite.config.ts',
    ...filesBelow('page/src'),
    ...filesBelow('page/static'),
  ];
  for (const file of inputs) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return `${hash.digest('hex')}\n`;
}

/** Returns the content of a stamp file, or null if it does not exist. */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/**
 * Returns the paths of all files below a folder of the clone, relative to the clone, in sorted
 * order.
 */
export function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();
}

/**
 * Returns the path of the Node within node_modules, in segments. The names of the packages do not
 * follow Node's names for platforms.
 */
function ownNodeFile() {
  const { platform, arch } = process;
  if (platform === 'win32') return [`node-win-${arch}`, 'bin', 'node.exe'];
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [`${name}-${platform}-${arch}`, 'bin', 'node'];
}
