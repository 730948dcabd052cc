// What an installed node_modules and a built dist were made from. Built-ins only, Node 18 or later.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's folder. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The Node that scripts/node/package.json brings along, for everything but the setup itself. */
export const ownNode = join(root, 'node_modules', ...ownNodeFile());

export const installStampFile = join(root, 'node_modules', '.catalog-setup');
export const buildStampFile = (dist) => join(dist, '.stamp');

/** What node_modules must have been made from. */
export function installStamp() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

/** What dist must have been made from: names and contents of all that goes into a build. */
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

/** A stamp as it was written, or null. */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** All files below a folder of the clone, relative to the clone, sorted. */
export function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();
}

/** Within node_modules; the packages are named by another scheme than Node's own. */
function ownNodeFile() {
  const { platform, arch } = process;
  if (platform === 'win32') return [`node-win-${arch}`, 'bin', 'node.exe'];
  const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [`${name}-${platform}-${arch}`, 'bin', 'node'];
}
