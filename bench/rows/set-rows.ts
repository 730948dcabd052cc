import { join } from 'node:path';
import Database from 'better-sqlite3';
import { median } from '../../measure/median.ts';
import { adminPassword, startServer } from '../../measure/program.ts';
import { fetchJson } from '../responses.ts';
import type { Bench, Row } from '../row.ts';
import { timeRequests } from '../timed-requests.ts';

/** Number of releases in the real DATs. */
const releases = 156_381;
const counts = 7;
const pages = 40;
const rule = { all: [] };
const prefer = {
  regions: ['Europe', 'World', 'USA'],
  languages: ['En'],
  avoid: ['Demo', 'Beta', 'Proto'],
};

/** Measures sets with one edition of each game. */
export const setBench: Bench = {
  rows: ['one-per-game', 'one-per-game-page'],
  async measure(work) {
    const data = await work.catalogue(releases);
    const server = await startServer(data);
    try {
      const request = await logIn(server.url);
      const first: number[] = [];
      for (let i = 0; i < counts; i += 1) {
        // Another tag makes each preference new, so that no cached choice is used.
        const avoid = [...prefer.avoid, `none ${i}`];
        const body = { rule, prefer: { ...prefer, avoid } };
        const start = performance.now();
        await request('POST', '/api/sets/preview', body);
        first.push(performance.now() - start);
      }
      const body = { name: `bench ${Date.now()}`, rule, prefer };
      const { id, count } = await request('POST', '/api/sets', body);
      const timePages = async (filter: string) => {
        const requests = Array.from({ length: pages }, (_, i) => ({
          path: `/api/releases?order=title&offset=${i * 50}&${filter}`,
          headers: request.headers,
        }));
        return median(await timeRequests(server.url, requests));
      };
      const [plain, ofSet] = [await timePages('library='), await timePages(`set=${id}`)];
      await request('DELETE', `/api/sets/${id}`);
      const rows: Row[] = [
        {
          name: 'one-per-game',
          what: `count and first page of a set with one of ${releases} releases per game, not cached`,
          unit: 'ms',
          catalog: median(first),
          reference: timeGroupPass(data),
          against: 'one pass over all names by group',
          targets: [{ of: 'catalog', most: 300 }],
          detail: { releases: count, firstMs: first[0] ?? 0 },
        },
        {
          name: 'one-per-game-page',
          what: 'list pages of this set',
          unit: 'ms',
          catalog: ofSet,
          reference: plain,
          against: 'list pages of all releases',
          targets: [{ of: 'ratio', most: 3 }],
        },
      ];
      return rows;
    } finally {
      await server.stop();
    }
  },
};

/** Returns a function that sends requests as the admin. */
async function logIn(url: string) {
  const send = async (method: string, path: string, headers: object, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} gave ${response.status}`);
    return (await response.json()) as { id: number; count: number; token: string };
  };
  const credentials = { username: 'admin', password: adminPassword };
  const { token } = await send('POST', '/api/auth/login', {}, credentials);
  const headers = { authorization: `Bearer ${token}` };
  await fetchJson(url, '/api/releases', headers);
  const request = (method: string, path: string, body?: object) =>
    send(method, path, headers, body);
  return Object.assign(request, { headers });
}

function timeGroupPass(data: string): number {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    const pass = database.prepare(
      'SELECT sum(length(name)) FROM (SELECT name FROM release ORDER BY group_key, platform_id)',
    );
    const durations: number[] = [];
    for (let i = 0; i < counts; i += 1) {
      const start = performance.now();
      pass.all();
      durations.push(performance.now() - start);
    }
    return median(durations);
  } finally {
    database.close();
  }
}
