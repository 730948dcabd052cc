import { leave, visit } from '../support/browser.ts';
import { addJobs } from '../support/prepared-jobs.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { hostileNames, storeCovers, type TestServer } from '../support/test-server.ts';
import type { Screen } from './check-screen.ts';

/** A server with content for every screen. */
export interface ScreensServer extends StockedServer {
  /** Ids of an ordinary release, of one with a hostile name, and of a set. */
  readonly ids: { readonly plain: number; readonly hostile: number; readonly set: number };
}

/** Opens a server with content for every screen. */
export async function openScreensServer(): Promise<ScreensServer> {
  const server = await openStockedServer();
  const ids = {
    plain: await server.idOf('Amber Delta 0 (USA)'),
    hostile: await server.idOf(hostileNames[0] ?? ''),
    set: await saveSets(server),
  };
  const endJobs = await addJobs(server);
  const visitor = await visit(server.url);
  await storeCovers(server, visitor.page, 60);
  await leave(visitor);
  const { close } = server;
  return Object.assign(server, {
    ids,
    async close() {
      await endJobs();
      await close();
    },
  });
}

/** Saves two shared sets, and a set with a long rule. Returns the id of the latter. */
async function saveSets(server: TestServer): Promise<number> {
  await saveSet(server, 'editor', {
    name: 'All discs',
    rule: { field: 'platform', is: 'Sony - PlayStation' },
    shared: true,
  });
  await saveSet(server, 'admin', {
    name: 'A-set-whose-name-is-one-word-and-far-too-long-for-the-side-of-a-narrow-window',
    rule: { field: 'library', is: 'missing' },
    shared: true,
  });
  return saveSet(server, 'editor', {
    name: 'PlayStation of Europe without sports',
    rule: {
      all: [
        { field: 'platform', in: ['Sony - PlayStation Portable', 'Sony - PlayStation'] },
        {
          any: [
            { field: 'region', is: 'Europe' },
            { field: 'search', contains: 'racing' },
          ],
        },
        { not: { field: 'genre', contains: 'sports' } },
        { not: { field: 'year', from: 2030, to: 2040 } },
      ],
    },
    prefer: { regions: ['Europe', 'World'], languages: ['En'], avoid: ['Demo', 'Beta'] },
  });
}

/**
 * Returns every screen, each with the role of the visitor. `findIds` is called when a screen is
 * opened.
 */
export function screensOf(findIds: () => ScreensServer['ids']): readonly Screen[] {
  return [
    ['collection', 'admin', (page) => page.goto('/')],
    ['catalogue', 'anonymous', (page) => page.goto('/releases')],
    ['release', 'editor', (page) => page.goto(`/releases/${findIds().plain}`)],
    ['set', 'editor', (page) => page.goto(`/releases?set=${findIds().set}`)],
    ['set-edit', 'editor', (page) => page.goto(`/sets/${findIds().set}`)],
    ['set-new', 'editor', (page) => page.goto('/sets/new')],
    ['sign-in', 'anonymous', (page) => page.goto('/sign-in')],
    ['account', 'user', (page) => page.goto('/account')],
    ['devices', 'user', (page) => page.goto('/devices')],
    ['users', 'admin', (page) => page.goto('/users')],
    ['imports', 'editor', (page) => page.goto('/imports')],
    ['store', 'editor', (page) => page.goto('/store')],
    ['library', 'editor', (page) => page.goto('/library')],
    [
      'builds',
      'editor',
      async (page) => {
        const data = { name: 'All', rule: { all: [] } };
        await page.context().request.post('/api/sets', { data });
        await page.goto('/builds');
        await page.getByText(/^(Not connected|Nicht angeschlossen)/).waitFor();
      },
    ],
    ['library-file', 'editor', (page) => page.goto('/library/1')],
    ['platforms', 'user', (page) => page.goto('/platforms')],
    ['dashboard', 'admin', (page) => page.goto('/dashboard')],
    ['audit', 'admin', (page) => page.goto('/audit')],
    [
      'jobs',
      'admin',
      async (page) => {
        await page.goto('/jobs');
        await page
          .getByText(/^(Done|Fertig)$/)
          .last()
          .click();
        await page.getByText(/^(Checksums calculated|Prüfsummen berechnet)/).waitFor();
      },
    ],
  ];
}
