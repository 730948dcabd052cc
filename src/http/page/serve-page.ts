import { createHash } from 'node:crypto';
import { negotiate } from '@fastify/accept-negotiator';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { methodNotAllowed, notFound } from '../../core/shared/errors.ts';
import type { PageFile } from './page-files.ts';

/**
 * Value of the style attribute with which the page's framework hides its region for announcing
 * titles. A browser test fails if the framework changes this value.
 */
const announcerStyle =
  'position: absolute; left: 0; top: 0; clip: rect(0 0 0 0); clip-path: inset(50%); overflow: hidden; ' +
  'white-space: nowrap; width: 1px; height: 1px';

/** Path of the folder of workers in the built page. */
const workerFolder = '/_app/immutable/workers/';

const immutable = 'public, max-age=31536000, immutable';

/**
 * Serves the web page outside `/api`. GET and HEAD return the built file at the path. If there is
 * none, they return `index.html`, which interprets the URL. Below `/_app/`, a path without a file
 * is not found. If the page was not built, no route is added.
 */
export function servePage(app: FastifyInstance, files: ReadonlyMap<string, PageFile>): void {
  const index = files.get('/index.html');
  if (index === undefined) return;
  const policy = contentPolicy(index.plain.bytes.toString());
  app.addHook('onRequest', refuseOtherMethods);
  app.get('/*', { schema: { hide: true } }, async (request, reply) => {
    const path = pathOf(request);
    if (isApi(path)) return reply.callNotFound();
    const file = files.get(path);
    if (file === undefined && (path.startsWith('/_app/') || !isNormalizedPath(path)))
      throw notFound();
    reply.header('content-security-policy', workerPolicy(path) ?? policy);
    reply.header('cache-control', path.startsWith('/_app/immutable/') ? immutable : 'no-cache');
    return sendPageFile(request, reply, file ?? index);
  });
}

function refuseOtherMethods(
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const { method } = request;
  const path = pathOf(request);
  const isDescribed = method === 'OPTIONS' && path === '/'; // see `addDav`
  if (method === 'GET' || method === 'HEAD' || isDescribed || isApi(path)) {
    done();
  } else {
    reply.header('allow', 'GET, HEAD');
    done(methodNotAllowed());
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';
/**
 * Returns true if a path has no empty segments and no dot segments. Browsers do not send such
 * segments, and the server does not resolve them (docs/api/decisions.md, In general).
 */
export const isNormalizedPath = (path: string) => !/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))/i.test(path);
/**
 * Returns true if a path belongs to the API or to WebDAV, in any letter case. A client with a
 * misspelled path therefore gets the API's error, not a page.
 */
const isApi = (path: string) => /^\/(?:api|dav)(\/|$)/i.test(path);

/** The encodings of page files, in order of preference. */
const encodings = ['br', 'gzip'];

function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, plain, gzip, br }: PageFile,
): FastifyReply {
  const header = request.headers['accept-encoding'] ?? '';
  const accepted = negotiate(header.toLowerCase(), encodings); // RFC 9110, 8.4.1: case-insensitive
  const packed = accepted === 'br' ? br : accepted === 'gzip' ? gzip : undefined;
  const { bytes, etag } = packed ?? plain;
  reply.header('vary', 'Accept-Encoding').header('etag', etag);
  const known = request.headers['if-none-match'] ?? '';
  if (known.trim() === '*' || known.includes(etag)) return reply.code(304).send();
  if (packed) reply.header('content-encoding', accepted);
  return reply.type(type).send(bytes);
}

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

/**
 * Returns the Content-Security-Policy for a worker's file; undefined for other files. Workers
 * calculate checksums with embedded WebAssembly, so the policy allows compiling WebAssembly.
 */
function workerPolicy(path: string): string | undefined {
  if (!path.startsWith(workerFolder)) return undefined;
  return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
