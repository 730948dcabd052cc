import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps connections open on which we are the slow ones, however long nothing moves there: the request is there in whole and its
 * answer is being made, or some of its body waits to be read, since a disk or a store may take its time until it has what came
 * before. All others are closed when the server's time is over.
 */
export function keepAnswering(server: Server): void {
  const last = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  server.on('timeout', (socket) => {
    const current = last.get(socket);
    if (current === undefined || !isOurTurn(current)) return socket.destroy();
    socket.setTimeout(server.timeout); // else a client that left without a word would stay for good
  });
}

function isOurTurn(current: { request: IncomingMessage; response: ServerResponse }): boolean {
  const { request, response } = current;
  return !response.headersSent && (request.complete || request.readableLength > 0);
}
