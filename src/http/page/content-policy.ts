import { createHash } from 'node:crypto';

/**
 * Value of the style attribute with which the page's framework hides its region for announcing
 * titles. A browser test fails if the framework changes this value.
 */
const announcerStyle =
  'position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); clip-path: inset(50%); overflow: hidden; ' +
  'white-space: nowrap; width: 1px; height: 1px';

/**
 * Returns the Content-Security-Policy of the page, which allows nothing from other servers. Two
 * inline contents are allowed by hash: the start script of this `index.html`, and one style
 * attribute.
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

/** Path of the folder of workers in the built page. */
const workerFolder = '/_app/immutable/workers/';

/**
 * Returns the Content-Security-Policy for a worker's file; undefined for other files. Workers
 * calculate checksums with embedded WebAssembly, so the policy allows compiling WebAssembly.
 */
export function workerPolicy(path: string): string | undefined {
  if (!path.startsWith(workerFolder)) return undefined;
  return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
