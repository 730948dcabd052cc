import type { GroupRelease } from '../shared/groups/group.ts';
import type { Actor } from '../shared/requests/actor.ts';

/** A release in the group that an editor may have chosen for it. */
export interface StoredGroupRelease extends GroupRelease {
  /** True if an editor joined the release to the group, or split it off into the group. */
  readonly edited: boolean;
}

/** The releases of a game on one platform. */
export interface StoredGroup {
  /** The name of the platform; "" if the release has no platform. */
  readonly platform: string;
  /** Ordered by id. There is at least one release. */
  readonly releases: readonly StoredGroupRelease[];
}

export interface GroupRecords {
  /**
   * Returns the group of a release. If the group has more than `maxGroupSize` releases, returns the
   * first ones by id. Returns null for an unknown release.
   */
  find(releaseId: number): Promise<StoredGroup | null>;
  /**
   * Moves releases to the group of `releaseId`, and records the change in the audit. The releases
   * and the present releases of the group stay together, whatever imports say later. If all of them
   * belong to the group by their names anyway, the group is no longer edited instead. Throws
   * `not found` for an unknown release, and a 422 for releases of another platform.
   */
  join(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void>;
  /**
   * Moves releases from the group of `releaseId` to a group of their own, and records the change in
   * the audit. Later imports do not change that. If they are all releases that belong to another
   * group by their names, they are no longer edited. Throws `not found` for an unknown release, and
   * a 422 if the group does not contain one of the releases, or if no release would stay in it.
   */
  split(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void>;
}

/** Maximum number of releases that are read of one group. The largest real group has 96. */
export const maxGroupSize = 2_000;
/** Maximum number of releases that one request moves to another group. */
export const maxMovedReleases = 1_000;
