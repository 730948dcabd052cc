import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isListed } from '../files/entity-tags.ts';
import { type AnswerNotes, noteAnswered } from '../server/request-log.ts';
import type { CachedResponses } from './cached-responses.ts';
import { readPlain } from './plain-request.ts';

export interface AnswersFromCache {
  readonly responses: CachedResponses;
  /**
   * Returns true if requests for this host are currently answered. `host` is the unchanged `Host`
   * header of the request.
   */
  readonly isServed: (host: string) => boolean;
  readonly nameRequest: () => string;
  readonly notes: AnswerNotes;
}

/**
 * Makes a server answer plain GETs from the cache before its framework sees them. The framework's
 * routing, hooks and reply would take several times as long as sending the bytes. Must be called
 * before adding listeners that must see all requests.
 */
export function answerFromCache(
  server: Server,
  { responses, isServed, nameRequest, notes }: AnswersFromCache,
): void {
  const others = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', socket } = request;
    const plain = responses.has(url) ? readPlain(request) : null;
    const found = plain !== null && isServed(plain.host) ? responses.find(url, plain) : undefined;
    if (plain === null || found === undefined) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const since = performance.now();
    const reqId = nameRequest();
    const { bytes, etag, heads } = found;
    const client = socket.remoteAddress ?? '';
    response.on('finish', () => {
      const ms = performance.now() - since;
      const { route } = heads;
      const answered = { method, address: url, route, status: response.statusCode, ms, client };
      noteAnswered(notes, answered, (fields, message) =>
        notes.log.info({ reqId, ...fields }, message),
      );
    });
    if (isListed(plain.known, etag)) response.writeHead(304, heads.unchanged).end();
    else response.writeHead(200, heads.whole).end(bytes);
  });
}
