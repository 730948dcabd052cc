import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';

/** A loopback connection, as the operating system reports its server side. */
export interface Connection {
  /** Number of received bytes that the server has not read yet. */
  readonly unread: number;
  /** True if the server has accepted the connection from the queue of its port. */
  readonly isAccepted: boolean;
}

/**
 * Returns the connection between a port and a client's port, or null if there is none. Reads
 * /proc/net/tcp (proc_pid_net(5)), which exists only on Linux.
 */
export async function connectionAt(port: number, clientPort = 0): Promise<Connection | null> {
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n')) {
    const [, local, remote, state, queues, , , , , inode] = line.trim().split(/\s+/);
    if (local !== procAddress(port) || remote !== procAddress(clientPort) || state !== '01')
      continue;
    return { unread: Number.parseInt(queues?.split(':')[1] ?? '', 16), isAccepted: inode !== '0' };
  }
  return null;
}

function procAddress(port: number): string {
  return `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Resolves to true if a port of loopback accepts connections. */
export function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}
