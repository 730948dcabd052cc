import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { openCurrent } from '../../../src/sql/postgres/open-current.ts';
import { freePort } from '../free-port.ts';
import { type Installation, serverUser } from './installations.ts';
import type {} from './run-folder.ts'; // declares the type of the value that `inject` returns

/** A server of a run. The user of its URLs may create databases but is not a superuser. */
export interface Server {
  /** Returns the URL of a database on this server. */
  urlOf(database: string): string;
  /** Path of the server's data folder. */
  readonly data: string;
}

/** Name of the database from which test databases are cloned. */
export const template = 'catalog_template';

const run = promisify(execFile);
const startMs = 60_000;
const sharedServers = new Map<string, Promise<Server>>();

/**
 * Returns the server of this version that all tests of a run share. The first test that needs the
 * server starts it.
 */
export function serverOf(installation: Installation): Promise<Server> {
  const { version } = installation;
  const known = sharedServers.get(version) ?? shareServer(installation);
  sharedServers.set(version, known);
  return known;
}

async function shareServer(installation: Installation): Promise<Server> {
  const folder = join(inject('postgres').folder, installation.version);
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  const ready = join(folder, 'address.json');
  if (isFirst) {
    const started = await start(installation, folder).then(
      (databaseUrl) => ({ databaseUrl }),
      (error: Error) => ({ failure: error.message }),
    );
    await writeFile(`${ready}.new`, JSON.stringify(started));
    await rename(`${ready}.new`, ready);
  }
  const { databaseUrl, failure } = await waitForFile(ready);
  if (databaseUrl === undefined) throw new Error(`PostgreSQL did not start: ${failure}`);
  return { urlOf: (database) => `${databaseUrl}/${database}`, data: join(folder, 'data') };
}

async function waitForFile(file: string): Promise<{ databaseUrl?: string; failure?: string }> {
  for (let waited = 0; waited < startMs; waited += 50) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text);
    await setTimeout(50);
  }
  return { failure: `it took more than ${startMs / 1000} s` };
}

async function start(installation: Installation, folder: string): Promise<string> {
  const user = serverUser();
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  startCleanupWatcher(folder, data);
  await writeFile(join(folder, 'password'), randomBytes(16).toString('hex'), { mode: 0o600 });
  const log = join(folder, 'log');
  await writeFile(log, '');
  for (const path of [data, join(folder, 'password'), log]) {
    if (user.uid !== undefined) await chown(path, user.uid, user.gid ?? user.uid);
  }
  const bin = await installation.prepare(folder);
  const options = { ...user, cwd: data, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  const password = ['--username=postgres', '--auth=md5', `--pwfile=${join(folder, 'password')}`];
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-E', 'UTF8', '--locale=C.UTF-8', ...password],
    options,
  );
  await appendFile(join(data, 'postgresql.conf'), settings);
  const port = await freePort();
  await run(join(bin, 'pg_ctl'), ['-D', data, '-l', log, '-w', '-o', `-p ${port}`, 'start'], {
    ...options,
    timeout: startMs,
  });
  return makeTemplate(port, await readFile(join(folder, 'password'), 'utf8'));
}

/** The settings do not make the server wait for the disk, because no data outlives the run. */
const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
shared_buffers = 64MB
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
`;

/**
 * Starts a watcher that stops the server and removes its files when the run ends. The watcher also
 * works if the run is killed, when the normal cleanup does not happen.
 */
function startCleanupWatcher(folder: string, data: string): void {
  const watch = `while [ -e "/proc/$1" ]; do sleep 1; done
    pid=$(head -n 1 "$2/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && sleep 1
    rm -rf "$3"; rmdir "$4"`;
  const run = inject('postgres');
  const args = ['-c', watch, 'sh', String(run.pid), data, folder, run.folder];
  spawn('sh', args, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
}

async function makeTemplate(port: number, adminPassword: string): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const server = `127.0.0.1:${port}`;
  const admin = new pg.Client(`postgres://postgres:${adminPassword}@${server}/postgres`);
  await admin.connect();
  // MD5 is cheaper to check than SCRAM, and each test opens new connections.
  await admin.query(`SET password_encryption = 'md5'`);
  await admin.query(`CREATE ROLE catalog LOGIN CREATEDB PASSWORD '${password}'`);
  await admin.query(`CREATE DATABASE ${template} OWNER catalog`);
  await admin.end();
  const databaseUrl = `postgres://catalog:${password}@${server}`;
  const engine = await openCurrent(`${databaseUrl}/${template}`);
  await engine.close();
  return databaseUrl;
}
