import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { pollOptions } from '../poll-options.ts';
import { toolPath } from '../tools.ts';
import { serverUser } from './installations.ts';

/** A PgBouncer in session mode, in front of a server that trusts its clients. */
export interface Pooler {
  /** URL of the server's database, through PgBouncer. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer for the database at a URL. At most `sessions` clients have a session on the
 * server at once; others wait. At most `clients` clients may be connected.
 */
export async function startPooler(
  database: string,
  { sessions, clients }: { sessions: number; clients: number },
): Promise<Pooler> {
  const { hostname, port: serverPort, username, pathname } = new URL(database);
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-pgbouncer-'));
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = session',
    `default_pool_size = ${sessions}`,
    `max_client_conn = ${clients}`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  for (const path of [folder, config]) {
    if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid);
  }
  const env = { PATH: toolPath };
  const program = spawn('pgbouncer', [config], { ...user, env, stdio: 'ignore' });
  const ended = once(program, 'exit');
  const isListening = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  };
  await vi.waitFor(async () => expect(await isListening()).toBeUndefined(), pollOptions);
  return {
    databaseUrl: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      program.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
