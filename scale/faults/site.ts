import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { mount, mountSkipReason, unmount } from '../../measure/mounts.ts';
import { builtProgram, type Server, startServer } from '../../measure/program.ts';
import { openUserClient } from '../../measure/user-client.ts';
import type { BucketConfig } from '../../src/files/s3/client/s3-client.ts';
import { type RunningProxy, startProxy, statesIn } from '../../test/several/proxies/start-proxy.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { OwnServer } from '../../test/support/postgres/own-server.ts';
import { startS3 } from '../../test/support/s3/radosgw.ts';
import type { S3Server } from '../../test/support/s3/s3-server.ts';
import { environmentOf, type Place, runOn } from '../pair.ts';
import type { Scene } from '../row.ts';

const releases = 400;
/** Name of the fault for which the first machine's data folder must be a separate disk. */
export const diskFault = 'tmp-full';
/**
 * Mount options of the first machine's disk. An instance needs 64 MiB of free space to be ready.
 */
const diskOptions = 'size=128m';
const readyTimeoutMs = 60_000;

/** An instance: the first or the second one. */
export type InstanceIndex = 0 | 1;

/**
 * Two instances behind HAProxy, with one database and one bucket. Each instance has its own data
 * folder, as on two machines.
 */
export interface Site {
  readonly folder: string;
  readonly database: OwnServer;
  readonly s3: S3Server;
  readonly proxy: RunningProxy;
  /** Token of the first admin. */
  readonly token: string;
  /** Ids of the releases of the first import. */
  readonly ids: readonly number[];
  /** The catalogue, for commands on the machine of the first instance. */
  readonly place: Place;
  /** The reason why the first machine's data folder is not a separate disk; null if it is one. */
  readonly diskSkipReason: string | null;
  /** The times at which an instance was killed, as values of `performance.now()`. */
  readonly kills: readonly number[];
  /** Starts an instance that has ended, on the same port. */
  start(which: InstanceIndex): Promise<void>;
  signal(which: InstanceIndex, name: NodeJS.Signals): void;
  /** Resolves when an instance has ended. */
  waitForEnd(which: InstanceIndex): Promise<unknown>;
  /** Resolves when HAProxy sends writes to both instances. */
  waitUntilReady(): Promise<void>;
  /** Returns the settings of a catalogue with its files in a new bucket. */
  newFileSettings(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** Starts all parts, and imports the first releases. `close` ends everything but the database. */
export async function openSite({ folder, only }: Scene, database: OwnServer): Promise<Site> {
  const s3 = await startS3(folder);
  const disk = join(folder, 'one');
  const isDiskUsed = only.length === 0 || only.includes(diskFault);
  const diskSkipReason = isDiskUsed ? mountSkipReason() : 'it was not chosen';
  const kills: number[] = [];
  const servers: Server[] = [];
  const proxies: RunningProxy[] = [];
  const close = async () => {
    for (const { pid } of servers) resume(pid);
    await Promise.all(servers.map((server) => server.stop()));
    for (const proxy of proxies) await proxy.stop();
    await s3.stop();
    await unmount(disk);
  };
  try {
    if (diskSkipReason === null) mount(disk, '-t', 'tmpfs', '-o', diskOptions, 'tmpfs');
    const files = settingsOf(await s3.newBucket());
    const at = (which: InstanceIndex): Place => ({
      data: which === 0 ? disk : join(folder, 'two'),
      database: database.databaseUrl,
      more: { ...files, CATALOG_DATABASE_CONNECTIONS: '8' },
    });
    const ports = [await freePort(), await freePort()] as const;
    const start = async (which: InstanceIndex) => {
      const { data } = at(which);
      const args = ['--port', `${ports[which]}`, '--trusted-proxy', '127.0.0.1'];
      const env = environmentOf(at(which));
      servers[which] = await startServer(data, args, builtProgram, env, join(folder, 'log'));
    };
    await runOn(at(0), ['import', ...(await generateDats(join(folder, 'dats'), [releases]))]);
    await start(0);
    await start(1);
    const proxyFolder = join(folder, 'proxy');
    await mkdir(proxyFolder);
    const proxy = await startProxy('haproxy', proxyFolder, [...ports]);
    proxies.push(proxy);
    const waitUntilReady = async () => {
      for (const until = Date.now() + readyTimeoutMs; ; await setTimeout(200)) {
        const states = await statesIn(proxy, 'ready').catch(() => []);
        if (states.length === 2 && states.every((state) => state === 'UP')) return;
        if (Date.now() > until) throw new Error(`instances are ${states.join(' and ')}`);
      }
    };
    const serverOf = (which: InstanceIndex) => servers[which] as Server;
    const person = await openUserClient(serverOf(0).url);
    const { json } = await person.request(`/api/releases?limit=${releases}`);
    return {
      ...{
        folder,
        database,
        s3,
        proxy,
        token: person.token,
        place: at(0),
        start,
        waitUntilReady,
        close,
      },
      ...{ diskSkipReason, kills },
      ids: (json as { items: { id: number }[] }).items.map(({ id }) => id),
      signal(which, name) {
        if (name === 'SIGKILL') kills.push(performance.now());
        process.kill(serverOf(which).pid, name);
      },
      waitForEnd: (which) => serverOf(which).ended,
      newFileSettings: async () => settingsOf(await s3.newBucket()),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function settingsOf(bucket: BucketConfig): Readonly<Record<string, string>> {
  return {
    CATALOG_FILES: `s3://${bucket.bucket}/${bucket.prefix}`,
    CATALOG_S3_ENDPOINT: bucket.endpoint,
    CATALOG_S3_ACCESS_KEY: bucket.accessKey,
    CATALOG_S3_SECRET_KEY: bucket.secretKey,
  };
}

/** Resumes a process that may be stopped, so that it can end. */
function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // the process has already ended
  }
}
