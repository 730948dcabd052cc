import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileContent, type RouteDescription, TextContent } from './route.ts';

/**
 * Returns the `onSend` hook that sets `Cache-Control` for a route with credentials. No cache may
 * store JSON, including errors. A browser may store a file, but a shared cache, such as a proxy's,
 * may not. The browser must revalidate the file before each use, unless the URL contains the file's
 * version.
 */
export function privateCacheControl({ sendsFiles }: { sendsFiles: boolean }) {
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

/** `Cache-Control` of a file whose URL contains its version. */
export const immutable = 'private, max-age=31536000, immutable';

/** Returns true if a route's response is a file or a text to save, rather than JSON. */
export function sendsFiles({ response }: RouteDescription): boolean {
  return response instanceof FileContent || response instanceof TextContent;
}
