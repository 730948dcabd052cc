import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freeze } from '../freeze.ts';

const listen = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
  console.log(this.address().port);
})`;

/**
 * Opens a port of loopback that accepts no further connections, because its queue is full. A client
 * sees a machine that is unreachable.
 */
export async function openUnreachablePort(): Promise<{ endpoint: string; close(): void }> {
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  await freeze(child.pid);
  // A queue accepts one connection more than its configured length.
  const queued = Promise.withResolvers<void>();
  let connected = 0;
  const waiting = Array.from({ length: 8 }, () =>
    connect(Number(port), '127.0.0.1')
      .on('error', () => {})
      .on('connect', () => {
        connected += 1;
        if (connected === 2) queued.resolve();
      }),
  );
  await queued.promise;
  return {
    endpoint: `http://127.0.0.1:${Number(port)}`,
    close() {
      for (const socket of waiting) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
