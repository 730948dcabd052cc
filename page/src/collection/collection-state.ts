import { listFailedJobs } from '../api/jobs.ts';
import { listPlatforms, listRecentlyAdded, readFileCounts } from '../api/library.ts';
import { readInitials } from '../api/releases.ts';
import { type Area, listArchives } from '../api/store.ts';
import { parseLocation } from '../catalogue/catalogue-location.ts';
import { RemoteValue } from '../parts/remote-value.svelte.ts';

// These values exist until the tab is closed. So the collection looks the same when the user
// returns from another screen.

export const recent = new RemoteValue(listRecentlyAdded);
export const platforms = new RemoteValue(listPlatforms);
export const initials = new RemoteValue((signal) =>
  readInitials(parseLocation(new URLSearchParams({ library: 'have' })), signal),
);

const areas: readonly Area[] = ['games', 'videos'];
/** The number of archives in each area of the store. */
export const archiveTotals = new RemoteValue((signal) =>
  Promise.all(
    areas.map(async (area) => {
      const { total } = await listArchives(area, { search: '', limit: 1, offset: 0 }, signal);
      return { area, total };
    }),
  ),
);

/** The numbers of library files by state, for editors. */
export const fileCounts = new RemoteValue(readFileCounts);
/** The failed jobs, for editors. */
export const failedJobs = new RemoteValue(listFailedJobs);
