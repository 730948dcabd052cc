import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type PageFile, variantOf } from './page-files.ts';

/** Matches content types of files that may refer to other files of the page. */
const rewritableTypes = /^text\/(html|javascript)/;
/** Matches URLs of the page's own files. The build writes these URLs for a page at the root. */
const assetReference = /(["'`])\/_app\//g;
/**
 * Other texts in `index.html` that must contain the base path, with their replacements: for the
 * framework, for our own code and for the icon.
 */
const rootReferences: readonly [string, (path: string) => string][] = [
  ['base: ""', (path) => `base: "${path}"`],
  ['data-base=""', (path) => `data-base="${path}"`],
  ['href="/icon.svg"', (path) => `href="${path}/icon.svg"`],
];

/**
 * Rewrites the files of a page that was built for the root, so that the page works below a path.
 */
export function rebasePage(
  files: ReadonlyMap<string, PageFile>,
  path: string,
): ReadonlyMap<string, PageFile> {
  return new Map([...files].map(([name, file]) => [name, rebaseFile(name, file, path)]));
}

function rebaseFile(name: string, file: PageFile, path: string): PageFile {
  if (!rewritableTypes.test(file.type)) return file;
  const before = file.plain.bytes.toString();
  let text = before.replace(assetReference, `$1${path}/_app/`);
  if (name === '/index.html') {
    for (const [atRoot, below] of rootReferences) {
      if (!text.includes(atRoot)) throw new Error(`index.html has no ${atRoot}`);
      text = text.replaceAll(atRoot, below(path));
    }
  }
  if (text === before) return file;
  const bytes = Buffer.from(text);
  // Startup must be fast, so do not use Brotli's best quality, which is slow.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  return {
    type: file.type,
    plain: variantOf(bytes),
    gzip: file.gzip && variantOf(gzipSync(bytes)),
    br: file.br && variantOf(brotliCompressSync(bytes, quality)),
  };
}
