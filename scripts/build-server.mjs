// Bundles src into a folder: the program, its threads, and dependencies that consist of many small
// modules. A few large modules start faster than many small ones, and need less memory.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { filesBelow, root } from './stamps.mjs';

/**
 * Packages of pure JavaScript that consist of hundreds of files. Other packages have few files, or
 * need their own files next to them. Such packages are not bundled.
 */
const bundled = ['kysely', 'typebox'];

/** Entry points of the bundle. Other code starts these files by path. */
const entries = [
  'src/main.ts',
  'src/program/node-version.ts', // imported by bin/catalog.js
  ...filesBelow('src').filter((file) => /worker\.ts$/.test(file)),
];

/**
 * Placeholder for the relative path from a bundled file to the top of the bundle. The path is
 * filled in once the file that contains the placeholder is known.
 */
const top = 'top-of-the-bundle:';

const [out] = process.argv.slice(2);
await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: bundled },
  plugins: [
    { name: 'module-urls', transform: rewriteModuleUrl, renderChunk: fillInTop },
    { name: 'node-http', enforce: 'pre', resolveId: resolveHttp, load: loadHttp },
  ],
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
 * Rewrites `import.meta.url`, which a module uses to find files next to it. In a bundle, the value
 * would be the URL of the bundled file that contains the module.
 */
function rewriteModuleUrl(code, id) {
  if (!id.startsWith(join(root, 'src')) || !code.includes('import.meta.url')) return null;
  const url = `new URL('${top}${nameOf(id)}.js', import.meta.url).href`;
  return { code: code.replaceAll('import.meta.url', url), map: null };
}

function fillInTop(code, { fileName }) {
  return { code: code.replaceAll(top, '../'.repeat(fileName.split('/').length - 1)), map: null };
}

/**
 * Replaces `import ... from 'node:http'`, which reads all exports of the module. Among them is
 * `WebSocket`, for which Node loads its HTTP client undici: a tenth of the work of
 * `catalog --version`.
 */
function resolveHttp(id) {
  return id === 'node:http' ? '\0node:http' : null;
}

function loadHttp(id) {
  if (id !== '\0node:http') return null;
  const isPlain = ([, property]) => 'value' in property;
  const all = Object.entries(Object.getOwnPropertyDescriptors(http));
  const names = all.filter(isPlain).map(([name]) => name);
  return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http');`;
}

/**
 * Returns the licence text of a bundled package. The terms of the licence require that it is
 * included.
 */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
}

function nameOf(file) {
  return relative(join(root, 'src'), file).replace(/\.ts$/, '');
}
