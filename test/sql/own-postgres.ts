import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { installations, serverUser } from '../support/postgres/installations.ts';

const run = promisify(execFile);

/** What a test may do to a server that nobody else uses. */
export interface OwnServer {
  readonly address: string;
  start(): Promise<void>;
  /** As a machine that loses its power: nothing is written any more (PostgreSQL 15, 19.5). */
  crash(): Promise<void>;
  /** From the next start on it only answers questions. */
  makeStandby(): Promise<void>;
  remove(): Promise<void>;
}

/** The installation that needs no copy of its programs comes first. */
export const installation = installations.toReversed().find(({ lack }) => lack === null);

/** Makes and starts a server with an empty database. */
export async function makeServer(): Promise<OwnServer> {
  if (installation === undefined) throw new Error('there is no PostgreSQL');
  const user = serverUser();
  const folder = await mkdtemp(join(tmpdir(), 'catalog-own-postgres-'));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  for (const path of [folder, data]) {
    if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid);
  }
  const bin = await installation.prepare(folder);
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
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nshared_buffers = 16MB\n`,
  );
  await start();
  return {
    address: `postgres://tester@127.0.0.1:${port}/postgres`,
    start,
    crash,
    makeStandby: () => writeFile(join(data, 'standby.signal'), ''),
    async remove() {
      await crash().catch(() => undefined); // it may be down
      await rm(folder, { recursive: true, force: true });
    },
  };
}
