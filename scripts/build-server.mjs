// Bundles src into the given folder: the program, its threads, and the dependencies that consist of
// many small modules. Some twenty modules start twice as fast as 1,500 and take 50 MiB less memory.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { filesBelow, root } from './stamps.mjs';

/**
 * Packages of pure JavaScript in hundreds of files each. The others are not bundled: they have few
 * files, or need files of their own next to them.
 */
const bundled = ['kysely', 'typebox'];

/** Files that are started by name, from here and from `src`. */
const entries = [
  'src/main.ts',
  'src/node-version.ts', // for bin/catalog.js
  ...filesBelow('src').filter((file) => /worker\.ts$/.test(file)),
];

/**
 * Placeholder for the relative path from a file of the bundle to its top, until it is known which
 * file that is.
 */
const top = 'top-of-the-bundle:';

const [out] = process.argv.slice(2);
await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: bundled },
  plugins: [{ name: 'own-addresses', transform: toOwnAddress, renderChunk: fromTop }],
  build: {
    ssr: true,
    outDir: out,
    emptyOutDir: false,
    minify: false,
    target: 'node22',
    rolldownOptions: {
      input: Object.fromEntries(
        entries.map((file) => [nameOf(join(root, file)), join(root, file)]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
writeFileSync(join(out, 'bundled-licences.txt'), bundled.map(licenceOf).join('\n'));

/**
 * Rewrites `import.meta.url`, by which a module finds the files next to it. In a bundle, that would
 * be the URL of whichever file the module ends up in.
 */
function toOwnAddress(code, id) {
  if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
  const address = `new URL('${top}${nameOf(id)}.js', import.meta.url).href`;
  return { code: code.replaceAll('import.meta.url', address), map: null };
}

function fromTop(code, { fileName }) {
  return { code: code.replaceAll(top, '../'.repeat(fileName.split('/').length - 1)), map: null };
}

/** Returns the licence of a bundled package, which its terms require to be included. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

function nameOf(file) {
  return relative(join(root, 'src'), file).replace(/\.ts$/, '');
}
