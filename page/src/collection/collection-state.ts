import { listPlatforms, listRecentlyAdded } from '../api/library.ts';
import { readInitials } from '../api/releases.ts';
import { parseLocation } from '../catalogue/catalogue-location.ts';
import { RemoteValue } from '../parts/remote-value.svelte.ts';

// These values exist until the tab is closed. So the collection looks the same when the user
// returns from another screen.

export const recent = new RemoteValue(listRecentlyAdded);
export const platforms = new RemoteValue(listPlatforms);
export const initials = new RemoteValue((signal) =>
  readInitials(parseLocation(new URLSearchParams({ library: 'have' })), signal),
);
