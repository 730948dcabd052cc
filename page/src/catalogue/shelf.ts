import { listReleases } from '../api/releases.ts';
import { ReleaseList } from './release-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

// These objects live as long as the tab. So the catalogue is as before when the user returns to it
// from another screen.

export const list = new ReleaseList(listReleases);
export const selection = new Selection();
export const opened: { id: number | null } = { id: null };
