import { listReleases } from '../api/releases.ts';
import { ReleaseList } from './release-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

// What stays when one leaves the catalogue and comes back: its list, what is picked, and what was opened last.

export const list = new ReleaseList(listReleases);
export const selection = new Selection();
export const opened: { id: number | null } = { id: null };
