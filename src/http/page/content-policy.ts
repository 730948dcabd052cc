import { createHash } from 'node:crypto';

/** The framework's region that reads titles out is hidden by this attribute; a browser test notices another one. */
const announcerStyle =
  'position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); clip-path: inset(50%); overflow: hidden; ' +
  'white-space: nowrap; width: 1px; height: 1px';

/**
 * The Content-Security-Policy of the page: nothing from elsewhere, and of what stands inline only the start script of
 * this very `index.html` and one style attribute, by their hashes.
 */
export function contentPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)(?:<\/script>|$)/gs)].map(
    ([, text = '']) => text,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts.map(hashOf)].join(' ')}`,
    `style-src 'self' 'unsafe-hashes' ${hashOf(announcerStyle)}`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Where the build puts workers. */
const workerFolder = '/_app/immutable/workers/';

/** The policy of a worker's file; undefined for others. It compiles WebAssembly that it holds itself, to make checksums. */
export function workerPolicy(path: string): string | undefined {
  if (!path.startsWith(workerFolder)) return undefined;
  return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
