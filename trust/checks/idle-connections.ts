import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, probe } from '../probe.ts';

const idle = 1_000;
const halfSent = 300;
const seconds = 10;

/**
 * Checks that idle connections and connections with half a request header do not slow down other
 * clients.
 */
export const idleConnections: Check = {
  name: 'idle-connections',
  control: {
    what: 'no more than 1,200 connections',
    changes: [
      {
        file: 'src/http/shared/server/server.ts',
        from: '  closeIdleAtStop(app);',
        to: '  closeIdleAtStop(app);\n  app.server.maxConnections = 1_200;',
      },
    ],
  },
  async measure(trial) {
    const server = await trial.startServer(join(trial.folder, 'data'));
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    const client = new Client(server.url, '127.0.0.2');
    try {
      for (let i = 0; i < idle + halfSent; i += 1) {
        const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.3' });
        socket.on('error', () => undefined); // the server closes the connection after its timeout
        sockets.push(socket);
        await once(socket, 'connect');
        if (i >= idle) socket.write('GET /api/health HTTP/1.1\r\nHost: catalog\r\nX-Half: ');
      }
      const requests = [{ path: '/api/releases' }, { path: '/api/health' }];
      return await probe(client, setTimeout(seconds * 1_000), requests);
    } finally {
      client.close();
      for (const socket of sockets) socket.destroy();
      await server.stop();
    }
  },
};
