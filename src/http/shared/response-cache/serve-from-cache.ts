import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isListed } from '../files/entity-tags.ts';
import { logRequest, type RequestLogOptions } from '../server/request-log.ts';
import type { CachedResponses } from './cached-responses.ts';
import { parsePlainRequest } from './plain-request.ts';

export interface CacheServingOptions {
  readonly responses: CachedResponses;
  /**
   * Returns true if the server currently serves this host. `host` is the unchanged `Host` header of
   * the request.
   */
  readonly isServed: (host: string) => boolean;
  readonly nextRequestId: () => string;
  readonly logOptions: RequestLogOptions;
}

/**
 * Makes a server respond to plain GETs from the cache before its framework sees them. The
 * framework's routing, hooks and reply would take several times as long as sending the bytes. Must
 * be called before adding listeners that must see all requests.
 */
export function serveFromCache(
  server: Server,
  { responses, isServed, nextRequestId, logOptions }: CacheServingOptions,
): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', socket } = request;
    const plain = responses.has(url) ? parsePlainRequest(request) : null;
    const found = plain !== null && isServed(plain.host) ? responses.find(url, plain) : undefined;
    if (plain === null || found === undefined) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const since = performance.now();
    const reqId = nextRequestId();
    const { bytes, etag, preparedHeaders } = found;
    const client = socket.remoteAddress ?? '';
    response.on('finish', () => {
      const ms = performance.now() - since;
      const { route } = preparedHeaders;
      const entry = { method, url, route, status: response.statusCode, ms, client };
      logRequest(logOptions, entry, (fields, message) =>
        logOptions.log.info({ reqId, ...fields }, message),
      );
    });
    if (isListed(plain.ifNoneMatch, etag))
      response.writeHead(304, preparedHeaders.notModified).end();
    else response.writeHead(200, preparedHeaders.full).end(bytes);
  });
}
