import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isListed } from './entity-tags.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { type AnswerNotes, noteAnswered } from './note-answers.ts';
import { namesOneHost } from './request-head.ts';

/** Header fields by which a request asks for something special, or sends something. */
const special = [
  'content-length',
  'transfer-encoding',
  'expect',
  'origin',
  'x-forwarded-for',
  'range',
];

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
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = isPlain(request) ? kept.findAtOnce(request.url ?? '') : undefined;
    const isOurs = answer?.heads && namesOneHost(request) && isServed(request.headers.host ?? '');
    if (answer?.heads === undefined || !isOurs) {
      for (const listener of others) listener.call(server, request, response);
      return;
    }
    const since = performance.now();
    const { method = '', url = '' } = request;
    const reqId = nameRequest();
    const { route } = answer.heads;
    const client = request.socket.remoteAddress ?? '';
    response.once('finish', () => {
      const ms = performance.now() - since;
      const answered = { method, address: url, route, status: response.statusCode, ms, client };
      noteAnswered(notes, answered, (fields, message) =>
        notes.log.info({ reqId, ...fields }, message),
      );
    });
    if (isListed(request.headers['if-none-match'] ?? '', answer.etag)) {
      response.writeHead(304, answer.heads.unchanged).end();
    } else {
      response.writeHead(200, answer.heads.whole).end(answer.bytes);
    }
  });
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || special.some((name) => headers[name] !== undefined)) return false;
  // It counts only without a tag (RFC 9110, 13.1.3), and then for files only.
  return headers['if-modified-since'] === undefined || headers['if-none-match'] !== undefined;
}
