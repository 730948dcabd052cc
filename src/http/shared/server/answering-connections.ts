import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Exempts a connection from the idle timeout while the server is the slow side. That is the case
 * while the server produces the response to a complete request. It is also the case while buffered
 * body bytes are unread, because a disk or store is busy. All other connections are closed at the
 * timeout.
 */
export function keepAnswering(server: Server): void {
  const last = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  server.on('timeout', (socket) => {
    const current = last.get(socket);
    if (current === undefined || !isOurTurn(current)) return socket.destroy();
    socket.setTimeout(server.timeout); // otherwise a vanished client stays connected
  });
}

function isOurTurn(current: { request: IncomingMessage; response: ServerResponse }): boolean {
  const { request, response } = current;
  return !response.headersSent && (request.complete || request.readableLength > 0);
}
