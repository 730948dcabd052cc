import { once } from 'node:events';
import * as net from 'node:net';
import { setTimeout } from 'node:timers/promises';

const MIB = 1024 * 1024;

/** Clients that ask for `/` and read nothing of the answer. */
export interface SilentReaders {
  /** What this process took more of memory, at most, since before they came: MiB. */
  readonly growth: number;
  leave(): void;
}

/** Connects so many and looks for three seconds; the server of the port is in this process. */
export async function connectSilentReaders(port: number, count: number): Promise<SilentReaders> {
  const before = process.memoryUsage().rss;
  const sockets = await Promise.all(Array.from({ length: count }, () => connect(port)));
  let most = 0;
  for (let i = 0; i < 60; i++) {
    await setTimeout(50);
    most = Math.max(most, process.memoryUsage().rss);
  }
  const growth = (most - before) / MIB;
  console.log(`RSS grew by ${growth.toFixed(1)} MiB`);
  const leave = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { growth, leave };
}

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1' }).on('error', () => {});
  socket.pause();
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}
