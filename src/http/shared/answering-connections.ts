import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps connections open whose request is there in whole and whose answer is being made, however long nothing moves on them: a
 * disk or a store may take its time until it has an upload. All others are closed when the server's time is over.
 */
export function keepAnswering(server: Server): void {
  const last = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  server.on('timeout', (socket) => {
    const current = last.get(socket);
    const isMade = current?.request.complete === true && !current.response.headersSent;
    if (!isMade) socket.destroy();
  });
}
