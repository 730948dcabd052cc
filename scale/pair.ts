import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Server, startServer } from '../measure/program.ts';
import { openUserClient, UserClient } from '../measure/user-client.ts';

/** The source of the program that the command `catalog` runs. */
export const mainProgram = join(import.meta.dirname, '../src/main.ts');

/** Two instances of one catalogue, each on loopback and a free port. */
export interface Pair {
  /** Returns the first admin as a client of one instance. */
  at(which: number): UserClient;
  urlOf(which: number): string;
  /** Kills an instance with SIGKILL and waits for its end. */
  kill(which: number): Promise<void>;
  /** Restarts a killed instance on another port. */
  start(which: number): Promise<void>;
  /** Runs a command on the same catalogue and waits for its end. Returns the standard output. */
  run(args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts two instances. `database` is the URL of the database, or "" for a file in the data folder.
 */
export async function openPair(data: string, database: string): Promise<Pair> {
  const env = environmentOf({ data, database });
  const more = ['--trusted-proxy', '127.0.0.1'];
  const startOne = () => startServer(data, more, mainProgram, env);
  const servers: Server[] = [await startOne(), await startOne()];
  const of = (which: number) => servers[which % 2] as Server;
  const { token } = await openUserClient(of(0).url);
  return {
    at: (which) => new UserClient(of(which).url, token),
    urlOf: (which) => of(which).url,
    async kill(which) {
      process.kill(of(which).pid, 'SIGKILL');
      await of(which).ended;
    },
    async start(which) {
      servers[which % 2] = await startOne();
    },
    run: (args) => runOn({ data, database }, args),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** The location of a catalogue: its data folder, its database and further settings. */
export interface Place {
  readonly data: string;
  /** URL of the database, or "" for a file in the data folder. */
  readonly database: string;
  /**
   * Further settings as environment variables, such as the location of files outside the data
   * folder.
   */
  readonly more?: Readonly<Record<string, string>>;
}

export function environmentOf({ database, more }: Place): Record<string, string> {
  const own = { CATALOG_COVER_SOURCE: '', CATALOG_SCAN_EVERY: '0' };
  return { CATALOG_DATABASE: database, ...own, ...more };
}

/**
 * Runs a command on a catalogue and waits for its end. Returns the standard output. Throws if the
 * command fails.
 */
export async function runOn(place: Place, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...environmentOf(place) };
  const command = [mainProgram, ...args, '--data', place.data];
  return (await promisify(execFile)(process.execPath, command, { env, maxBuffer: 2 ** 26 })).stdout;
}
