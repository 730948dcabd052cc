import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { configs } from './proxy-config.ts';
import { env, host, type ProxyKind } from './proxy-tools.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const startsWithinMs = 10_000;

/** A running TLS proxy in front of a server on this machine. */
export interface RunningProxy {
  /** Origin with TLS: `https://catalog.example:PORT`. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** The port for HTTP without TLS. */
  readonly plainPort: number;
  /** Returns the number of bytes that the proxy's processes have written to disks so far. */
  writtenBytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a proxy with its configuration file from `deploy/`. `fault` changes the file first. Then
 * the ports and the certificate are set, as an administrator would do. Rejects if the proxy does
 * not listen in time.
 */
export async function startProxy(
  kind: ProxyKind,
  options: {
    folder: string;
    /** The port of the server behind the proxy. */
    upstream: number;
    port: number;
    certificate: string;
    key: string;
    fault: (file: string) => string;
  },
): Promise<RunningProxy> {
  const { folder, port, fault } = options;
  await mkdir(folder, { recursive: true });
  const plainPort = await freePort();
  const name = kind === 'nginx' ? 'nginx.conf' : 'Caddyfile';
  const config = fault(await readFile(join(deploy, name), 'utf8'));
  const file = join(folder, name);
  await writeFile(file, configs[kind](config, { ...options, plainPort }));
  const args = {
    nginx: ['-p', folder, '-c', file, '-g', 'daemon off;'],
    caddy: ['run', '--config', file, '--adapter', 'caddyfile'],
  }[kind];
  const child = spawn(kind, args, {
    env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const stop = async () => {
    process.off('exit', killed);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  try {
    await waitUntilListening(port, child);
  } catch (error) {
    await stop();
    throw error;
  }
  const { pid = 0 } = child;
  const writtenBytes = () => writtenBy(pid);
  return { origin: `https://${host}:${port}`, host, port, plainPort, writtenBytes, stop };
}

/** Returns a port on which no program currently listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + startsWithinMs;
  while (performance.now() < until && child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await setTimeout(50);
  }
  throw new Error(`the proxy does not listen on ${port}`);
}

/** Returns the number of bytes written to disks by a master process and its workers. */
async function writtenBy(pid: number): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8'));
  const children = (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean));
  const counts = [String(pid), ...children].map(async (each) => {
    const text = await readFile(`/proc/${each}/io`, 'utf8');
    return Number(/^write_bytes: (\d+)$/m.exec(text)?.[1]);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
