import { once } from 'node:events';
import * as net from 'node:net';

/** Clients that have requested `/` and do not read the response. */
export interface SilentReaders {
  leave(): void;
}

/** Connects `count` clients. Resolves when their requests have been sent. */
export async function connectSilentReaders(port: number, count: number): Promise<SilentReaders> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connect(port)));
  const leave = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { leave };
}

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1' }).on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}
