import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileContent, type RouteDescription, TextContent } from './route.ts';

/**
 * Makes the `onSend` hook of a route that not everybody may call. No cache stores its JSON, refusals included. A browser may
 * keep a file and asks each time whether it is still the same, unless its address names the version; caches that serve
 * others, such as a proxy's, may not.
 */
export function keepFromOthers({ sendsFiles }: { sendsFiles: boolean }) {
  return (
    _request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const isFile = sendsFiles && (reply.statusCode < 300 || reply.statusCode === 304);
    const isVersion = /\bimmutable\b/.test(String(reply.getHeader('cache-control')));
    const ofFile = isVersion ? immutable : 'private, no-cache';
    reply.header('cache-control', isFile ? ofFile : 'no-store');
    done(null, payload);
  };
}

/** For a file whose address names its version. */
export const immutable = 'private, max-age=31536000, immutable';

/** Whether a route answers with something that people save or look at, rather than with JSON. */
export function sendsFiles({ answer }: RouteDescription): boolean {
  return answer instanceof FileContent || answer instanceof TextContent;
}
