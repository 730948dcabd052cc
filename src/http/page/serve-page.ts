import { negotiate } from '@fastify/accept-negotiator';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
} from 'fastify';
import { methodNotAllowed, notFound } from '../../core/shared/errors.ts';
import { contentPolicy, workerPolicy } from './content-policy.ts';
import type { PageFile } from './page-files.ts';

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
    if (file === undefined && (path.startsWith('/_app/') || !isPlain(path))) throw notFound();
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
  if (request.method === 'GET' || request.method === 'HEAD' || isApi(pathOf(request))) {
    done();
  } else {
    reply.header('allow', 'GET, HEAD');
    done(methodNotAllowed());
  }
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';
/**
 * Returns true if a path has no empty segments and no dot segments. Browsers do not send such
 * segments, and the server does not resolve them (decisions.md, Both variants).
 */
export const isPlain = (path: string) => !/\/(?:\/|(?:\.|%2e){1,2}(?:\/|$))/i.test(path);
/**
 * Returns true if a path belongs to the API, in any letter case. A client with a misspelled path
 * therefore gets the API's error, not a page.
 */
const isApi = (path: string) => /^\/api(\/|$)/i.test(path);

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
