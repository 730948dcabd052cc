import type { Screen } from './look.ts';

/**
 * Returns every screen, each with the role of the visitor. `findIds` is called when a screen is
 * opened; `plain` is the id of a release.
 */
export function screensOf(findIds: () => { readonly plain: number }): readonly Screen[] {
  return [
    ['collection', 'admin', (page) => page.goto('/')],
    ['catalogue', 'nobody', (page) => page.goto('/releases')],
    ['release', 'editor', (page) => page.goto(`/releases/${findIds().plain}`)],
    ['sign-in', 'nobody', (page) => page.goto('/sign-in')],
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
