import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { killAtExit } from '../../../measure/program.ts';
import { makeCertificate } from '../../../trust/proxies/proxy-tools.ts';
import { freePort } from '../../support/free-port.ts';
import { isListening } from '../../support/http/connections.ts';
import { toolPath } from '../../support/tools.ts';

const startTimeoutMs = 30_000;
const deploy = join(import.meta.dirname, '../../../deploy');

export type ProxyKind = 'haproxy' | 'nginx';

/** A proxy in front of two instances. */
export interface RunningProxy {
  /** URL with TLS. */
  readonly origin: string;
  /** Path of HAProxy's socket for administration. */
  readonly adminSocket: string;
  /** Path of the socket by which HAProxy sends each request to itself. */
  readonly innerSocket: string;
  /** Makes HAProxy read its file again, as `systemctl reload haproxy` does. */
  reload(): void;
  stop(): Promise<void>;
}

/** The values that an administrator inserts into a file of deploy/. */
interface ProxySettings {
  readonly folder: string;
  readonly ports: readonly [number, number];
  readonly port: number;
  readonly plainPort: number;
  readonly certificate: string;
  readonly key: string;
}

/**
 * Starts a proxy with its file of deploy/, adapted like an administrator would. The limits for
 * connections in the file are multiplied by `scale`.
 */
export async function startProxy(
  kind: ProxyKind,
  folder: string,
  ports: readonly [number, number],
  scale = 1,
): Promise<RunningProxy> {
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = join(folder, `${kind}.conf`);
  const settings = { folder, ports, port, plainPort, ...makeCertificate(folder) };
  const limit = (_: string, count: string) => `maxconn ${Math.floor(Number(count) * scale)}`;
  await writeFile(file, (await adapt[kind](settings)).replace(/\bmaxconn (\d+)/g, limit));
  const args = {
    // a master and a worker, like the service in Debian's package
    haproxy: ['-W', '-db', '-f', file],
    nginx: ['-p', folder, '-c', file, '-g', 'daemon off;'],
  }[kind];
  const env = { ...process.env, PATH: toolPath };
  const child = killAtExit(spawn(kind, args, { env, stdio: 'ignore' }));
  for (const until = Date.now() + startTimeoutMs; !(await isListening(port)); await setTimeout(20))
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${kind} did not start`);
  return {
    origin: `https://127.0.0.1:${port}`,
    adminSocket: join(folder, 'admin.sock'),
    innerSocket: join(folder, 'catalog.sock'),
    reload: () => void child.kill('SIGUSR2'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM'); // ends the workers, too
      await exited;
    },
  };
}

/**
 * Returns a column of HAProxy's statistics for the two instances in a backend, by default their
 * states, such as `UP`.
 */
export async function statesIn(
  proxy: RunningProxy,
  backend: string,
  name = 'status',
): Promise<string[]> {
  const socket = connect(proxy.adminSocket);
  socket.end('show stat\n');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const [head = '', ...rows] = Buffer.concat(chunks).toString().trim().split('\n');
  const column = head.split(',').indexOf(name);
  const servers = rows
    .map((row) => row.split(','))
    .filter(([of, server = '']) => of === backend && ['one', 'two'].includes(server));
  return servers.map((row) => row[column] ?? '');
}

const adapt: Readonly<Record<ProxyKind, (settings: ProxySettings) => Promise<string>>> = {
  async haproxy({ folder, ports, port, plainPort, certificate, key }) {
    const pem = join(folder, 'both.pem');
    await writeFile(pem, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`);
    return replaced(await readFile(join(deploy, 'haproxy.cfg'), 'utf8'), [
      ['  user haproxy\n', ''],
      ['  group haproxy\n', ''],
      ['catalog.sock user haproxy', 'catalog.sock'],
      ['/run/haproxy/admin.sock', join(folder, 'admin.sock')],
      ['bind :::80 v4v6', `bind 127.0.0.1:${plainPort}`],
      ['bind :::443 v4v6', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/catalog.example.pem', pem],
      ['/run/haproxy/catalog.sock', join(folder, 'catalog.sock')],
      ['10.0.0.2:8000', `127.0.0.1:${ports[0]}`],
      ['10.0.0.3:8000', `127.0.0.1:${ports[1]}`],
    ]);
  },
  async nginx({ folder, ports, port, plainPort, certificate, key }) {
    const own = replaced(await readFile(join(deploy, 'nginx-several.conf'), 'utf8'), [
      ['listen 80;', `listen ${plainPort};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl', `listen ${port} ssl`],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/ssl/catalog.example.pem', certificate],
      ['/etc/ssl/catalog.example.key', key],
      ['10.0.0.2:8000', `127.0.0.1:${ports[0]}`],
      ['10.0.0.3:8000', `127.0.0.1:${ports[1]}`],
    ]);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const folders = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    return `${user} pid ${folder}/pid; error_log ${folder}/error.log;
events {} http { access_log off; ${folders}\n${own}\n}\n`;
  },
};

/** Replaces texts that must occur. */
function replaced(text: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`missing in the file: ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}
