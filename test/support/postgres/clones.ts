import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Installation } from './installations.ts';
import { type Server, serverOf, template } from './server.ts';

/** A separate database with the tables of a new catalogue. */
export interface Clone {
  readonly databaseUrl: string;
  /** Ends the connections to the database and removes it. */
  drop(): Promise<void>;
}

const adminClients = new Map<Server, Promise<pg.Client>>();
let cloneCount = 0;

/** Creates a database by cloning the template of a server. */
export async function makeClone(installation: Installation): Promise<Clone> {
  const server = await serverOf(installation);
  const adminClient = await adminClientOf(server);
  cloneCount += 1;
  const name = `test_${process.pid}_${cloneCount}`;
  // The strategy `file_copy` is faster than the default, which copies through the write-ahead log.
  await adminClient.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    databaseUrl: server.urlOf(name),
    async drop() {
      await dropDatabase(adminClient, name);
    },
  };
}

/**
 * Drops a database. Retries while autovacuum uses the database, because this user may not end
 * autovacuum (42501, insufficient_privilege).
 */
async function dropDatabase(adminClient: pg.Client, name: string): Promise<void> {
  for (let left = 50; ; left -= 1) {
    try {
      await adminClient.query(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const isVacuum = error instanceof pg.DatabaseError && error.code === '42501';
      if (!isVacuum || left === 0) throw error;
      await setTimeout(100);
    }
  }
}

/**
 * Returns the connection that creates and drops databases. Each process has one of these
 * connections per server.
 */
function adminClientOf(server: Server): Promise<pg.Client> {
  const known = adminClients.get(server) ?? connect(server.urlOf('postgres'));
  adminClients.set(server, known);
  return known;
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  // Ignore the error when the server is stopped. The next query then fails.
  client.on('error', () => undefined);
  return client;
}
