import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { TakenConnection } from './taken-connection.ts';

/**
 * Once the app closes, ends each connection as soon as it has no running request. Node's own
 * `closeIdleConnections` does not end connections without any request yet, which browsers open in
 * reserve.
 */
export function closeIdleAtStop(app: FastifyInstance): void {
  const running = new Map<Socket, number>();
  let isClosing = false;
  function count(socket: Socket, change: number): void {
    const requests = (running.get(socket) ?? 0) + change;
    running.set(socket, requests);
    if (isClosing && requests === 0) socket.destroySoon();
  }
  app.server.on('connection', (socket) => {
    if (socket instanceof TakenConnection) running.delete(socket.raw); // replaced by `socket`
    running.set(socket, 0);
    socket.once('close', () => running.delete(socket));
    if (isClosing) socket.destroy();
  });
  app.server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.on('close', () => running.has(socket) && count(socket, -1));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const [socket, requests] of running) if (requests === 0) socket.destroy();
  });
}
