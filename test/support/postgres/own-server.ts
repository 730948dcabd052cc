import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.ts';
import { installations, serverUser } from './installations.ts';

const run = promisify(execFile);

/** A PostgreSQL server for a single test. The test may crash the server. */
export interface OwnServer {
  readonly databaseUrl: string;
  start(): Promise<void>;
  /**
   * Ends the server without a final write, like a power cut of its machine (PostgreSQL 15, 19.5).
   */
  crash(): Promise<void>;
  /** Restarts the server, which interrupts its sessions first (pg_ctl, "fast"). */
  restart(): Promise<void>;
  /** Sends a signal to all processes of the server, starting with the main process. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Makes the server read-only from its next start. */
  makeStandby(): Promise<void>;
  remove(): Promise<void>;
}

/** The preferred installation, because its programs need no copy. */
export const installation = installations
  .toReversed()
  .find(({ skipReason }) => skipReason === null);

/** Settings for many concurrent servers. The data need not survive a crash of the machine. */
const fastSettings = ['fsync = off', 'shared_buffers = 16MB'];

/**
 * Creates and starts a server with an empty database. `settings` are lines of its postgresql.conf.
 * When this process exits, the server is killed and its files are removed.
 */
export async function makeServer(
  chosen = installation,
  settings = fastSettings,
): Promise<OwnServer> {
  if (chosen === undefined) throw new Error('there is no PostgreSQL');
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-own-postgres-'));
  const data = join(folder, 'data');
  const signal = (name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of processesOf(data)) {
      try {
        process.kill(pid, name);
      } catch {
        // the process has already ended
      }
    }
  };
  const killAndRemove = () => {
    try {
      signal('SIGKILL');
    } catch {
      // the server is not running
    }
    // Retry, because the server's processes may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  process.once('exit', killAndRemove);
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
    databaseUrl: `postgres://tester@127.0.0.1:${port}/postgres`,
    start,
    crash,
    async restart() {
      await pgCtl('restart', '-m', 'fast');
    },
    signal,
    makeStandby: () => writeFile(join(data, 'standby.signal'), ''),
    async remove() {
      await crash().catch(() => undefined); // the server may not be running
      await rm(folder, { recursive: true, force: true });
      process.off('exit', killAndRemove);
    },
  };
}

/** Returns the ids of a server's main process, which is in the pid file, and of its children. */
function processesOf(data: string): number[] {
  const first = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8');
  return [first, ...children.split(' ').filter(Boolean).map(Number)];
}
