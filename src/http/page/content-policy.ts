import { createHash } from 'node:crypto';

/**
 * Value of the style attribute with which the framework hides its region for announcing titles. A
 * browser test fails if the framework changes this value.
 */
const announcerStyle =
  'position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); clip-path: inset(50%); overflow: hidden; ' +
  'white-space: nowrap; width: 1px; height: 1px';

/**
 * Returns the Content-Security-Policy of the page, which allows nothing from other servers. The
 * only inline content that it allows, by hash, is the start script of this very `index.html` and
 * one style attribute.
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

/** The folder of workers in the build. */
const workerFolder = '/_app/immutable/workers/';

/**
 * Returns the policy of a worker's file; undefined for other files. Workers calculate checksums
 * with embedded WebAssembly, so the policy allows compiling WebAssembly.
 */
export function workerPolicy(path: string): string | undefined {
  if (!path.startsWith(workerFolder)) return undefined;
  return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
