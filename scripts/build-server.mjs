// Bundles src into the folder that is given: the program, its threads, and the dependencies that are many small modules. A
// program of 1,500 modules takes twice as long to start, and 50 MiB more, than the same in some twenty.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { filesBelow, root } from './stamps.mjs';

/** Pure JavaScript in hundreds of files each. The others stay: they are few, or have files of their own beside them. */
const bundled = ['kysely', 'typebox'];

/** What is started by its file name, here and in `src`. */
const entries = [
  'src/main.ts',
  'src/node-version.ts', // for bin/catalog.js
  ...filesBelow('src').filter((file) => /worker\.ts$/.test(file)),
];

/** Stands for the way from a file of the bundle to its top, until it is known which file that is. */
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

/** A module finds what lies beside it by its own address, which in a bundle is that of whatever file it ends up in. */
function toOwnAddress(code, id) {
  if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
  const address = `new URL('${top}${nameOf(id)}.js', import.meta.url).href`;
  return { code: code.replaceAll('import.meta.url', address), map: null };
}

function fromTop(code, { fileName }) {
  return { code: code.replaceAll(top, '../'.repeat(fileName.split('/').length - 1)), map: null };
}

/** What the terms of a bundled package want to go along. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

function nameOf(file) {
  return relative(join(root, 'src'), file).replace(/\.ts$/, '');
}
