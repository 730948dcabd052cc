// Builds the web page. Writes a gzip and a Brotli version next to each text file. Uses only modules
// built into Node.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './stamps.mjs';

/** Matches text files. Images and fonts are already compressed. */
const compressible = /\.(html|js|css|json|svg|txt)$/;

/**
 * Empties the folder `out` and builds `page/` into it. `run` starts a program of the clone and
 * resolves to true if the program succeeded. Open pages compare `version` to notice an upgrade.
 */
export async function buildPage(out, version, run) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const env = { ...process.env, CATALOG_PAGE_OUT: out, CATALOG_PAGE_VERSION: version };
  const isBuilt = await run([vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'page'),
    env,
  });
  if (isBuilt) await compressAll(out);
  return isBuilt;
}

async function compressAll(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  await Promise.all(
    files.filter((name) => compressible.test(name)).map((name) => compress(join(folder, name))),
  );
}

async function compress(file) {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [packed, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(bytes, { params }),
  ]);
  writeFileSync(`${file}.gz`, packed);
  writeFileSync(`${file}.br`, brotli);
}
