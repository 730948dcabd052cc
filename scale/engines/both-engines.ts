import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import { type Server, startServer } from '../../measure/program.ts';
import { openUserClient, UserClient } from '../../measure/user-client.ts';
import { environmentOf, mainProgram, type Place, runOn } from '../pair.ts';
import type { ComparedServer } from './compare.ts';
import { writeOddDat } from './odd-dat.ts';
import type { Api, Known } from './random-paths.ts';

/** The same catalogue in two databases, one per engine. */
export interface BothEngines {
  readonly known: Known;
  /** Serves both catalogues while `work` queries them. */
  serve<R>(api: Api, work: (servers: [ComparedServer, ComparedServer]) => Promise<R>): Promise<R>;
}

/**
 * Imports odd rows, generated rows and a folder of DATs into both databases. Then makes the same
 * changes to both catalogues.
 */
export async function fillBoth(options: {
  folder: string;
  /** URL of an empty database on a server. */
  database: string;
  seed: number;
  dats: string | undefined;
  /** Number of releases to generate. */
  rows: number;
}): Promise<BothEngines> {
  const { folder, database, seed, dats } = options;
  const files = [
    await writeOddDat(folder, seed),
    ...(await generateDats(join(folder, 'dats'), [options.rows, 300])),
    ...(dats === undefined ? [] : [dats]),
  ];
  const places: [Place, Place] = [
    { data: join(folder, 'one'), database: '' },
    { data: join(folder, 'other'), database },
  ];
  for (const place of places) await runOn(place, ['import', ...files]);
  const serve: BothEngines['serve'] = (api, work) => serveBoth(places, { folder, api }, work);
  const known = await serve('account', async (servers) => {
    for (const { url, token = '' } of servers) await change(new UserClient(url, token));
    const [{ url, token = '' }] = servers;
    return readKnown(new UserClient(url, token));
  });
  return { known, serve };
}

/**
 * Serves two catalogues while `work` queries them. Both catalogues have the same library roots
 * below `folder`.
 */
export async function serveBoth<R>(
  places: readonly [Place, Place],
  { folder, api }: { folder: string; api: Api },
  work: (servers: [ComparedServer, ComparedServer]) => Promise<R>,
): Promise<R> {
  const roots = ['games', 'videos'].flatMap((name) => [`--${name}-root`, join(folder, name)]);
  const more = [...roots, ...(api === 'minimal' ? ['--minimal'] : [])];
  const servers: Server[] = [];
  try {
    for (const place of places) {
      servers.push(await startServer(place.data, more, mainProgram, environmentOf(place)));
    }
    const signedIn = servers.map(async ({ url }) => {
      return api === 'minimal' ? { url } : { url, token: (await openUserClient(url)).token };
    });
    return await work((await Promise.all(signedIn)) as [ComparedServer, ComparedServer]);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/**
 * Makes edits, covers, archives and users, one at a time. The fixed order makes the ids the same in
 * both catalogues.
 */
async function change(person: UserClient): Promise<void> {
  for (let id = 1; id <= 40; id += 1) {
    const json = {
      description: `%_\\ É 大 ${id}\0`,
      ...(id % 3 === 0 && { name: `Edited ${id}` }),
    };
    await person.request(`/api/releases/${id}`, { method: 'PATCH', json });
    if (id % 4 === 0) await person.putCover(id, picture);
    if (id % 5 === 0) await person.upload(`Archive ${id}.zip`, new Uint8Array(id));
  }
  for (const username of ['Ann', 'ann ', "o'neil", '大神']) {
    await person.request('/api/users', { json: { username, password: 'p', role: 'user' } });
  }
}

/** Reads the data from which paths are generated. */
export async function readKnown(person: UserClient): Promise<Known> {
  const names: string[] = [];
  const { json } = await person.request('/api/releases?limit=1&include=total');
  const count = (json as { total: number }).total;
  for (let offset = 0; offset < count; offset += Math.max(500, Math.floor(count / 10))) {
    const page = await person.request(`/api/releases?limit=500&offset=${offset}`);
    names.push(...(page.json as { items: { name: string }[] }).items.map(({ name }) => name));
  }
  return { names, count };
}

const picture = new Uint8Array(500);
picture.set(Buffer.from('89504e470d0a1a0a', 'hex'));
