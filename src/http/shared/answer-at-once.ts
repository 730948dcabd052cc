import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Arrival } from '../../core/shared/arrival.ts';
import { Arrivals, noteArrival } from './arrivals.ts';
import { isListed } from './entity-tags.ts';
import type { ReadyAnswer } from './kept-answer.ts';
import { type AnswerNotes, noteAnswered } from './note-answers.ts';
import { type PlainRequest, readPlain } from './plain-request.ts';
import { SentTogether } from './sent-together.ts';

/** Answers that are there before they are asked for. */
export interface ReadyAnswers {
  /** Whether there may be one to requests for this address, as it was sent. */
  has(address: string): boolean;
  /** The one to a request, where it is known to be new enough for all that arrived with it. */
  findAtOnce(address: string, arrival: Arrival, request: PlainRequest): ReadyAnswer | undefined;
}

export interface AtOnce {
  readonly ready: readonly ReadyAnswers[];
  /** Whether requests are answered at present, and those for this host (`Host` as it was sent). */
  readonly isServed: (host: string) => boolean;
  readonly nameRequest: () => string;
  readonly notes: AnswerNotes;
}

/**
 * Has a server answer plain GETs with what is ready before its framework sees them: finding the route, its hooks and its
 * reply would take several times as long as sending the bytes. To be called before other listeners are added.
 */
export function answerAtOnce(
  server: Server,
  { ready, isServed, nameRequest, notes }: AtOnce,
): void {
  const others = server.listeners('request');
  const arrivals = new Arrivals(server);
  const together = new SentTogether();
  // What follows a request and is none ends the connection: not before the request has its answer.
  server.prependListener('clientError', () => together.sendAll());
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', socket } = request;
    const arrival = arrivals.of(request);
    const answers = ready.find((each) => each.has(url));
    const plain = answers === undefined ? null : readPlain(request);
    const isAsked = plain !== null && isServed(plain.host);
    const answer = isAsked ? answers?.findAtOnce(url, arrival, plain) : undefined;
    if (plain === null || answer === undefined) {
      noteArrival(request, arrival);
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
    const { bytes, etag, heads } = answer;
    together.add(() => {
      if (etag !== null && isListed(plain.known, etag)) {
        response.writeHead(304, heads.unchanged).end();
      } else {
        response.writeHead(200, heads.whole).end(bytes);
      }
    });
  });
}
