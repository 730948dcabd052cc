import { listReleases } from '../api/releases.ts';
import { orderOf } from './catalogue-location.ts';
import { ReleaseList } from './release-list.svelte.ts';
import { Selection } from './selection/selection.svelte.ts';

// These objects exist until the tab is closed. So the catalogue looks the same when the user
// returns from another screen.

export const list = new ReleaseList((place, stretch, signal) =>
  listReleases({ ...place, order: orderOf(place) }, stretch, signal),
);
export const selection = new Selection();
export const lastOpened: { id: number | null } = { id: null };
/** The screen that last showed the list: the collection, or all releases. */
export const origin: { path: '/' | '/releases' } = { path: '/releases' };
