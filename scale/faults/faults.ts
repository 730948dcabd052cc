import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { diskFault, type InstanceIndex, type Site } from './site.ts';

/** A fault of one part of a site. */
export interface Fault {
  readonly name: string;
  /** Returns the reason why the fault cannot be caused on this machine; null if it can. */
  readonly skipReason?: (site: Site) => string | null;
  readonly cause: (site: Site) => unknown;
  /** The error of jobs that fail because of the fault. Such a job must change nothing. */
  readonly jobError?: string;
  /** Duration between cause and end, in seconds. */
  readonly seconds: number;
  readonly end: (site: Site) => unknown;
}

const nothing = () => undefined;

/** All faults, in the order in which they happen. */
export const faults: readonly Fault[] = [
  {
    name: 'instance-killed',
    cause: (site) => kill(site, 0),
    seconds: 8,
    end: (site) => site.start(0),
  },
  {
    // long enough for the other instance to take over the leases
    name: 'instance-frozen',
    cause: (site) => site.signal(1, 'SIGSTOP'),
    seconds: 40,
    end: (site) => site.signal(1, 'SIGCONT'),
  },
  {
    name: 'instances-restarted',
    cause: (site) => restartOneByOne(site),
    seconds: 0,
    end: nothing,
  },
  {
    name: 'instances-killed',
    cause: (site) => Promise.all([kill(site, 0), kill(site, 1)]),
    seconds: 4,
    end: (site) => Promise.all([site.start(0), site.start(1)]),
  },
  {
    name: 'database-killed',
    cause: ({ database }) => database.signal('SIGKILL'),
    seconds: 8,
    end: ({ database }) => database.start(),
  },
  {
    name: 'database-frozen',
    cause: ({ database }) => database.signal('SIGSTOP'),
    seconds: 8,
    end: ({ database }) => database.signal('SIGCONT'),
  },
  {
    name: 'database-restarted',
    cause: ({ database }) => database.restart(),
    seconds: 0,
    end: nothing,
  },
  {
    name: 'connections-cut',
    cause: (site) => cutConnections(site),
    seconds: 0,
    end: nothing,
  },
  {
    name: 's3-frozen',
    cause: ({ s3 }) => s3.gateway.kill('SIGSTOP'),
    seconds: 8,
    end: ({ s3 }) => s3.gateway.kill('SIGCONT'),
  },
  {
    name: 's3-killed',
    cause: ({ s3 }) => s3.gateway.kill('SIGKILL'),
    seconds: 8,
    end: ({ s3 }) => s3.restartGateway(),
  },
  {
    // fills the disk of one machine, which contains the `tmp` folder of its instance
    name: diskFault,
    skipReason: ({ diskSkipReason }) => diskSkipReason,
    cause: (site) => fillDisk(site),
    jobError: 'insufficient storage',
    seconds: 15,
    end: (site) => rm(fillerOf(site)),
  },
  {
    name: 'proxy-reloaded',
    cause: (site) => reloadProxy(site),
    seconds: 0,
    end: nothing,
  },
];

async function kill(site: Site, which: InstanceIndex): Promise<void> {
  site.signal(which, 'SIGKILL');
  await site.waitForEnd(which);
}

async function restartOneByOne(site: Site): Promise<void> {
  for (const which of [0, 1] as const) {
    site.signal(which, 'SIGTERM');
    await site.waitForEnd(which);
    await site.start(which);
    await site.waitUntilReady();
  }
}

/** Ends the server's side of all connections to the catalogue, 20 times within 8 s. */
async function cutConnections({ database }: Site): Promise<void> {
  const client = new pg.Client(database.databaseUrl);
  await client.connect();
  try {
    for (let i = 0; i < 20; i += 1) {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()`,
      );
      await setTimeout(400);
    }
  } finally {
    await client.end();
  }
}

const fillerOf = ({ place }: Site) => join(place.data, 'filler');

/** Fills the disk of the first machine to its last block. */
async function fillDisk(site: Site): Promise<void> {
  const file = await open(fillerOf(site), 'wx');
  try {
    for (const bytes of [2 ** 20, 2 ** 12]) await writeUntilFull(file, Buffer.alloc(bytes, 1));
  } finally {
    await file.close();
  }
}

async function writeUntilFull(file: FileHandle, piece: Buffer): Promise<void> {
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function reloadProxy({ proxy }: Site): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    proxy.reload();
    await setTimeout(2_000);
  }
}
