import { existsSync } from 'node:fs';
import type { DatabaseFacts } from '../../core/doctor/ports.ts';
import { CatalogError } from '../../core/shared/errors.ts';
import type { Database, ReadOnlyDatabase } from './engine.ts';
import { openDatabaseReadOnly, openPostgresReadOnly } from './open.ts';

const newestLogins = 100;
const noFacts = { roots: [], loginAddresses: [], newestRecord: null };

/**
 * Returns facts about a database without changing it. Returns null if the file does not exist.
 * Returns a text with the reason if the database cannot be read.
 */
export function examineDatabase(file: string): Promise<DatabaseFacts | string | null> {
  return examine(() => (existsSync(file) ? openDatabaseReadOnly(file) : null));
}

/**
 * Returns facts about a PostgreSQL database, like `examineDatabase`. Omits library roots of hosts
 * other than the one that `findHost` returns.
 */
export function examinePostgres(
  url: string,
  findHost: () => Promise<string | null>,
): Promise<DatabaseFacts | string | null> {
  return examine(() => openPostgresReadOnly(url), { emptyIsNone: true, findHost });
}

async function examine(
  open: () => Promise<ReadOnlyDatabase> | null,
  {
    emptyIsNone = false,
    findHost,
  }: { emptyIsNone?: boolean; findHost?: () => Promise<string | null> } = {},
): Promise<DatabaseFacts | string | null> {
  try {
    const database = await open();
    if (database === null) return null;
    try {
      const { version, knownVersion, read } = database;
      if (version === 0 && emptyIsNone) return null;
      const facts = version === knownVersion ? await factsOf(read, await findHost?.()) : noFacts;
      return { version, knownVersion, ...facts };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof CatalogError) return error.message;
    throw error;
  }
}

/** Reads the facts of a database. `host` is undefined if no other host can use the database. */
async function factsOf(
  read: Database,
  host: string | null | undefined,
): Promise<Omit<DatabaseFacts, 'version' | 'knownVersion'>> {
  const roots = await read
    .selectFrom('library_root')
    .select(({ selectFrom, fn }) => [
      'path',
      selectFrom('library_file')
        .whereRef('library_file.root_id', '=', 'library_root.id')
        .select(fn.countAll<number>().as('files'))
        .as('files'),
    ])
    .where('scanned_at', 'is not', null)
    .$if(host !== undefined, (all) => all.where('host', 'in', ['', host ?? '']))
    .orderBy('path')
    .execute();
  const logins = await read
    .selectFrom('audit')
    .select('address')
    .where('action', '=', 'login')
    .orderBy('id', 'desc')
    .limit(newestLogins)
    .execute();
  const newest = await read
    .selectFrom('audit')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    roots: roots.map(({ path, files }) => ({ path, files: Number(files ?? 0) })),
    loginAddresses: logins.flatMap(({ address }) => address ?? []),
    newestRecord: newest === undefined ? null : Date.parse(newest.at),
  };
}
