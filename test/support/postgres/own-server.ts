import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { installations, serverUser } from './installations.ts';

const run = promisify(execFile);

/** A server for a single test, which may crash it. */
export interface OwnServer {
  readonly address: string;
  start(): Promise<void>;
  /** Crashes like a machine that loses power: nothing more is written (PostgreSQL 15, 19.5). */
  crash(): Promise<void>;
  /** Sends a signal to all its processes, the first one first. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Makes it read-only from the next start on. */
  makeStandby(): Promise<void>;
  remove(): Promise<void>;
}

/** Prefers the installation whose programs need no copy. */
export const installation = installations.toReversed().find(({ lack }) => lack === null);

/** Many servers run at once, and their data need not survive a crash of the machine. */
const light = ['fsync = off', 'shared_buffers = 16MB'];

/**
 * Creates and starts a server with an empty database; `settings` are lines of its postgresql.conf.
 * It ends with this process and leaves nothing.
 */
export async function makeServer(chosen = installation, settings = light): Promise<OwnServer> {
  if (chosen === undefined) throw new Error('there is no PostgreSQL');
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-own-postgres-'));
  const data = join(folder, 'data');
  const signal = (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processesOf(data)) {
      try {
        process.kill(pid, name);
      } catch {
        // it has ended
      }
    }
  };
  const endAtOnce = () => {
    try {
      signal('SIGKILL');
    } catch {
      // it is down
    }
    // The server's processes may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.once('exit', endAtOnce);
  await mkdir(data, { mode: 0o700 });
  for (const path of [folder, data]) {
    if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid);
  }
  const bin = await chosen.prepare(folder);
  const options = { ...user, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  const port = await freePort();
  const pgCtl = (...args: string[]) =>
    run(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', join(folder, 'log'), ...args], options);
  const start = async () => {
    await pgCtl('start');
  };
  const crash = async () => {
    await pgCtl('stop', '-m', 'immediate');
  };
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-E', 'UTF8', '-N', '-A', 'trust', '-U', 'tester'],
    options,
  );
  await appendFile(
    join(data, 'postgresql.conf'),
    [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      ...settings,
      '',
    ].join('\n'),
  );
  await start();
  return {
    address: `postgres://tester@127.0.0.1:${port}/postgres`,
    start,
    crash,
    signal,
    makeStandby: () => writeFile(join(data, 'standby.signal'), ''),
    async remove() {
      await crash().catch(() => undefined); // it may be down
      await rm(folder, { recursive: true, force: true });
      process.off('exit', endAtOnce);
    },
  };
}

/** Returns the first process of a server, from its pid file, and its children. */
function processesOf(data: string): number[] {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8');
  return [first, ...children.split(' ').filter(Boolean).map(Number)];
}
