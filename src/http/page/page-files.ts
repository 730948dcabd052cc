import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One encoding of a file's bytes, as it is sent to a browser. */
export interface Variant {
  readonly bytes: Buffer;
  /** A quoted strong entity tag. */
  readonly etag: string;
}

/** A file of the built page. */
export interface PageFile {
  /** Content type. */
  readonly type: string;
  readonly plain: Variant;
  readonly gzip: Variant | undefined;
  readonly br: Variant | undefined;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Reads the files of the built page into memory. Returns the files by path, such as `/index.html`.
 * Returns an empty map if the page was not built, for example in a clone that runs from `src`.
 */
export function readPage(): ReadonlyMap<string, PageFile> {
  const folder = findFolder();
  if (folder === undefined) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const [plain, gzip, br] = ['', '.gz', '.br'].map((end) =>
      readVariant(join(folder, name + end)),
    );
    if (plain) files.set(`/${name.replaceAll('\\', '/')}`, { type, plain, gzip, br });
  }
  return files;
}

/**
 * Returns the version of a built page: the build stamp of the page's framework. Returns undefined
 * if the page was not built.
 */
export function pageVersion(files: ReadonlyMap<string, PageFile>): string | undefined {
  const file = files.get('/_app/version.json');
  if (file === undefined) return undefined;
  const { version }: { version?: unknown } = JSON.parse(file.plain.bytes.toString());
  return typeof version === 'string' ? version : undefined;
}

/**
 * Finds the folder of the built page. It is next to the compiled server or, when run from `src`, in
 * the clone's `dist`.
 */
function findFolder(): string | undefined {
  return ['../../page', '../../../dist/page']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(join(path, 'index.html')));
}

function readVariant(path: string): Variant | undefined {
  return existsSync(path) ? variantOf(readFileSync(path)) : undefined;
}

export function variantOf(bytes: Buffer): Variant {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { bytes, etag: `"${hash}"` };
}
