import { redirect } from '@sveltejs/kit';
import { preloadCode } from '$app/navigation';
import { withBasePath } from '../base-path.ts';
import { parseLocation } from '../catalogue/catalogue-location.ts';
import { list } from '../catalogue/catalogue-state.ts';
import { firstRun } from '../first-run/first-run-state.svelte.ts';
import { session } from '../shell/app.ts';

let isStart = true;

/**
 * Shows the collection. Redirects to the list of all releases if the URL has a query, no user is
 * signed in, the catalogue is empty, or an editor is in the first run. When a tab opens this screen
 * for the first time, also redirects users who have no collection.
 */
export async function load({
  url,
  parent,
}: {
  url: URL;
  parent: () => Promise<unknown>;
}): Promise<void> {
  if (url.search !== '') redirect(307, withBasePath(`/releases${url.search}`));
  const isFirst = isStart;
  isStart = false;
  if (!session.isKnown) {
    // The session is not known yet. Visitors without a session are redirected to all releases, so
    // load that screen meanwhile.
    void preloadCode('/releases').catch(() => {});
    if (list.place === null) void list.open(parseLocation(url.searchParams));
  }
  await parent();
  if (session.user !== null && !isFirst && !session.hasCollection)
    await session.load().catch(() => {});
  const isFilling = firstRun.isFilling && session.hasRole('editor');
  const isEmpty = session.releases === 0 || (isFirst && !session.hasCollection);
  if (session.user === null || isFilling || isEmpty) redirect(307, withBasePath('/releases'));
}
