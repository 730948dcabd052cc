import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PartRevision } from '../../src/core/shared/requests/part-revision.ts';
import { PartRevisions } from '../../src/sql/engine/part-revisions.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { importGames, oddTitles } from '../support/data/dats.ts';
import { constantRevision } from '../support/data/revisions.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { fetchResponse, neverTheSame, startOtherProcess, startServers } from './servers.ts';

let app: TestApp;
let plain: Awaited<ReturnType<typeof startServers>>;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
let imports = 0;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, oddTitles);
  plain = await startServers(app.catalog, neverTheSame());
  other = await startOtherProcess(app.data);
});
afterAll(async () => {
  await other.stop();
  await plain.close();
  await app.close();
});

const paths = {
  account: [
    '/api/releases',
    '/api/releases?limit=3&offset=2',
    '/api/releases?order=newest&include=total,platform,region',
    '/api/releases?q=e%25l',
    '/api/releases?search=new+game',
    '/api/releases?region=Japan',
    '/api/releases/1',
    '/api/releases/2?include=platform,franchise',
    '/api/releases/3?include=sources,edits',
    '/api/facets',
    '/api/facets?include=genre,year,publisher&others=1',
    '/api/letters?q=a',
    '/api/letters?order=title',
    '/api/releases?region=Japan%7CUSA&genre=Action',
  ],
  minimal: ['/api/releases?limit=4', '/api/releases?q=new', '/api/releases/1', '/api/summary'],
};

interface Change {
  readonly by: 'this process' | 'another process' | 'import' | 'dropped edit' | 'token';
  readonly id: number;
  readonly name: string;
}
const actor = { kind: 'system' } as const;

async function make({ by, id, name }: Change): Promise<void> {
  const { accounts, releases } = app.catalog;
  if (by === 'this process') await releases.edit(id, { name, region: 'Japan' }, actor);
  if (by === 'another process') await other.work({ release: id, name });
  if (by === 'dropped edit') await releases.dropEdit(id, 'name', actor);
  if (by === 'token') await accounts.authenticate(app.adminToken);
  if (by === 'import') {
    imports += 1;
    await importGames(app, [`New game ${imports} ${name}`], `Platform ${imports % 3}`);
  }
}

const change: fc.Arbitrary<Change> = fc.record({
  by: fc.constantFrom('this process', 'another process', 'import', 'dropped edit', 'token'),
  id: fc.integer({ min: 1, max: 5 }),
  name: fc.constantFrom('New name', 'Elf', 'Zz', ...oddTitles.slice(0, 8)),
});

/**
 * Makes the changes and throws if a response differs from the plain query. Compares the first and a
 * repeated request.
 */
async function compare(cached: typeof plain, changes: readonly Change[]): Promise<void> {
  for (const next of [null, ...changes]) {
    if (next !== null) await make(next);
    for (const api of ['account', 'minimal'] as const) {
      for (const path of paths[api]) {
        const expected = await fetchResponse(plain.urls[api] + path);
        for (const response of await Promise.all(
          [0, 1, 2].map(() => fetchResponse(cached.urls[api] + path)),
        )) {
          expect(response, path).toEqual(expected);
        }
        expect(await fetchResponse(cached.urls[api] + path), path).toEqual(expected);
        const { etag = '' } = expected.headers;
        const known = await fetchResponse(cached.urls[api] + path, { 'if-none-match': etag });
        expect([known.status, known.body, known.headers.etag], path).toEqual([304, '', etag]);
      }
    }
  }
}

/** Returns a revision that is read from the database for each request, as on PostgreSQL. */
async function queriedRevision(): Promise<PartRevision> {
  const engine = await openSqlite(join(app.data, 'catalog.db'));
  onTestFinished(() => engine.close());
  return new PartRevisions({ commits: () => null, read: engine.read }).of('catalogue');
}

const revisions: readonly [string, () => Promise<PartRevision>][] = [
  ['known at once', async () => app.catalog.catalogueRevision],
  ['queried', queriedRevision],
];

describe.each(revisions)('a response cached by a revision that is %s', (_how, revisionOf) => {
  const title = 'equals an uncached response after any change by this or another process';
  test(title, () => expectPlain(1));
  test(`${title}, in many more rounds`, { tags: ['full'] }, () => expectPlain(6));

  async function expectPlain(numRuns: number): Promise<void> {
    const cached = await startServers(app.catalog, await revisionOf());
    const changes = fc.array(change, { minLength: 4, maxLength: 8 });
    await fc
      .assert(
        fc.asyncProperty(changes, (made) => compare(cached, made)),
        { numRuns, endOnFailure: true },
      )
      .finally(() => cached.close());
  }

  test('shows acknowledged changes to every later request while two processes write', async () => {
    const cached = await startServers(app.catalog, await revisionOf());
    try {
      await expect(staleResponses(cached)).resolves.toBe(0);
    } finally {
      await cached.close();
    }
  });
});

describe('a cached response', () => {
  test('is stored at the second request for its URL', async () => {
    let queries = 0;
    let made = 0;
    const listAsText = (...given: Parameters<typeof app.catalog.releases.listAsText>) => {
      made += 1;
      return app.catalog.releases.listAsText(...given);
    };
    const releases = Object.create(app.catalog.releases, { listAsText: { value: listAsText } });
    const current = async () => {
      queries += 1;
      return 1;
    };
    const cached = await startServers(
      { ...app.catalog, releases },
      { requiresQuery: true, known: () => undefined, current },
    );
    try {
      const counts = [];
      for (let time = 1; time <= 3; time += 1) {
        await fetchResponse(`${cached.urls.account}/api/releases?limit=7`);
        counts.push([queries, made]);
      }
      expect(counts).toEqual([
        [0, 1],
        [1, 2],
        [2, 2],
      ]);
    } finally {
      await cached.close();
    }
  });

  test.each<[string, () => Promise<{ revision: PartRevision; end?: () => Promise<void> }>]>([
    ['a revision that never changes', async () => ({ revision: constantRevision })],
    [
      'a commit counter that never changes',
      async () => {
        const engine = await openSqlite(join(app.data, 'catalog.db'));
        const revisions = new PartRevisions({ commits: () => 1, read: engine.read });
        return { revision: revisions.of('catalogue'), end: () => engine.close() };
      },
    ],
    [
      'a missing trigger', // must be last, because the trigger is not restored
      async () => {
        const engine = await openSqlite(join(app.data, 'catalog.db'));
        await engine.write((trx) => sql`DROP TRIGGER release_changed`.execute(trx));
        return { revision: app.catalog.catalogueRevision, end: () => engine.close() };
      },
    ],
  ])(
    'is detected as stale if a fault is planted: %s',
    { tags: ['full'] },
    async (_fault, plant) => {
      const { revision, end } = await plant();
      const cached = await startServers(app.catalog, revision);
      try {
        expect(await staleResponses(cached)).toBeGreaterThan(0);
        const changes = ['another process', 'this process'].map((by) => ({ by, id: 1, name: by }));
        await expect(compare(cached, changes as Change[])).rejects.toThrow();
      } finally {
        await cached.close();
        await end?.();
      }
    },
  );
});

/**
 * Returns the number of responses that contain less than what was acknowledged before the request.
 */
async function staleResponses(cached: typeof plain): Promise<number> {
  const writes = 30;
  let acknowledged = 0;
  const write = async () => {
    for (let number = 1; number <= writes; number += 1) {
      const name = `Number ${number}`;
      if (number % 2 === 0) await other.work({ release: 1, name });
      else await app.catalog.releases.edit(1, { name }, actor);
      acknowledged = number;
    }
  };
  let stale = 0;
  const read = async (url: string) => {
    while (acknowledged < writes) {
      const least = acknowledged;
      const { body } = await fetchResponse(url);
      const shown = Number(/"name": ?"Number (\d+)"/.exec(body)?.[1] ?? 0);
      if (shown < least) stale += 1;
    }
  };
  await app.catalog.releases.edit(1, { name: 'Number 0' }, actor);
  const { account, minimal } = cached.urls;
  await Promise.all([
    write(),
    ...[`${account}/api/releases?q=Number`, `${account}/api/releases/1`].map(read),
    ...[`${minimal}/api/releases?q=Number`, `${minimal}/api/releases/1`].map(read),
  ]);
  return stale;
}
