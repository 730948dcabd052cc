import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { builtProgram, startServer } from '../../measure/program.ts';
import { installations } from '../../test/support/postgres/installations.ts';
import { makeServer, type OwnServer } from '../../test/support/postgres/own-server.ts';
import { postgres15 } from '../../test/support/tools.ts';
import { environmentOf, type Place, runOn } from '../pair.ts';
import { Client } from './client.ts';
import { compare, type Differences } from './compare.ts';
import type { WriteRecord } from './record.ts';
import type { Site } from './site.ts';

/** PostgreSQL 15. Its Debian package also contains `pg_dump` and `pg_restore`. */
const dumpInstallation = installations.find(({ version }) => version === '15');

/** The reason why the copies and restores cannot run on this machine; null if they can. */
export const dumpSkipReason = dumpInstallation?.skipReason ?? null;

/**
 * Copies and restores the catalogue of a site whose instances have ended, in five ways. Serves each
 * result and calls `report` with its differences from the record.
 */
export async function recoverEach(
  site: Site,
  record: WriteRecord,
  report: (name: string, differences: Differences) => void,
): Promise<void> {
  const { folder, place } = site;
  const at = (name: string) => join(folder, name);
  const serve = async (name: string, result: Place) =>
    report(name, await compareWith(result, site, record));
  const plain = at('plain.tar');
  const whole = at('whole.tar');
  await runOn(place, ['backup', plain]);
  await runOn(place, ['backup', whole, '--store']);
  const other = await makeServer(dumpInstallation);
  try {
    const copied: Place = { data: at('copied'), database: '', more: keysOf(place) };
    await runOn(place, ['copy', '--to', copied.data, '--files-to', copied.data]);
    await serve('copied to SQLite and a folder', { data: copied.data, database: '' });

    const files = await site.newFileSettings();
    const moved: Place = { data: at('moved'), database: await newDatabase(other), more: files };
    const to = ['--to', moved.database, '--files-to', files.CATALOG_FILES ?? ''];
    await runOn(copied, ['copy', ...to]);
    await serve('copied to PostgreSQL and S3', moved);

    const dump = at('catalog.dump');
    await runTool('pg_dump', '--format=custom', `--file=${dump}`, moved.database);
    const dumped: Place = { ...moved, data: at('dumped'), database: await newDatabase(other) };
    await runTool('pg_restore', '--no-owner', `--dbname=${dumped.database}`, dump);
    await serve('pg_restore', dumped);

    const restored: Place = { data: at('restored'), database: '' };
    await runOn(restored, ['restore', whole]);
    await serve('restored with --store', restored);

    const attached: Place = { ...place, data: at('attached'), database: await newDatabase(other) };
    await runOn(attached, ['restore', plain]);
    await serve('restored without --store', attached);
  } finally {
    await other.remove();
  }
}

async function compareWith(place: Place, { token, folder }: Site, record: WriteRecord) {
  const log = join(folder, 'log');
  const server = await startServer(place.data, [], builtProgram, environmentOf(place), log);
  const client = new Client(server.url, token);
  try {
    record.forgetReports();
    return await compare(client, record, record.items, { isCopy: true });
  } finally {
    client.close();
    await server.stop();
  }
}

/** Returns the further settings of a place, without the location of its files. */
function keysOf({ more = {} }: Place): Readonly<Record<string, string>> {
  const { CATALOG_FILES: _, ...keys } = more;
  return keys;
}

/** Returns the URL of a new, empty database. */
async function newDatabase({ databaseUrl }: OwnServer): Promise<string> {
  const name = `copy_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
  return databaseUrl.replace(/\/[^/]*$/, `/${name}`);
}

async function runTool(name: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(join(postgres15, name), args, { env: { PATH: process.env.PATH } });
}
