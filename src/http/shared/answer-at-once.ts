import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Arrivals } from './arrivals.ts';
import { isListed } from './entity-tags.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { type AnswerNotes, noteAnswered } from './note-answers.ts';
import { readPlain } from './plain-request.ts';

export interface AtOnce {
  readonly kept: KeptAnswers;
  /** Whether requests are answered at present, and those for this host (`Host` as it was sent). */
  readonly isServed: (host: string) => boolean;
  readonly nameRequest: () => string;
  readonly notes: AnswerNotes;
}

/**
 * Has a server answer plain GETs with what is kept before its framework sees them: finding the route, its hooks and its
 * reply would take several times as long as sending the bytes. To be called before other listeners are added.
 */
export function answerAtOnce(server: Server, { kept, isServed, nameRequest, notes }: AtOnce): void {
  const others = server.listeners('request');
  const arrivals = new Arrivals(server);
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', socket } = request;
    const answer = kept.has(url) ? kept.findAtOnce(url, arrivals.of(socket)) : undefined;
    const plain = answer?.heads && readPlain(request);
    if (!answer?.heads || !plain || !isServed(plain.host)) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const since = performance.now();
    const reqId = nameRequest();
    const { route } = answer.heads;
    const client = socket.remoteAddress ?? '';
    response.on('finish', () => {
      const ms = performance.now() - since;
      const answered = { method, address: url, route, status: response.statusCode, ms, client };
      noteAnswered(notes, answered, (fields, message) =>
        notes.log.info({ reqId, ...fields }, message),
      );
    });
    if (isListed(plain.known, answer.etag)) {
      response.writeHead(304, answer.heads.unchanged).end();
    } else {
      response.writeHead(200, answer.heads.whole).end(answer.bytes);
    }
  });
}
