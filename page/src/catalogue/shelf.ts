import { listReleases } from '../api/releases.ts';
import { ReleaseList } from './release-list.svelte.ts';
import { Selection } from './selection.svelte.ts';

// State that survives leaving the catalogue: its list, the selection, and the last opened release.

export const list = new ReleaseList(listReleases);
export const selection = new Selection();
export const opened: { id: number | null } = { id: null };
