import type { GroupRelease } from '../shared/groups/group.ts';
import type { Actor } from '../shared/requests/actor.ts';

/** A release of a group that an editor may have chosen. */
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
   * Moves releases to the group of `releaseId`, and records the change in the audit. Later imports
   * do not separate these releases from the current releases of the group. If all of them belong to
   * the group even without edits, their edits are removed instead. Throws `not found` for an
   * unknown release, and a 422 for releases of another platform.
   */
  join(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void>;
  /**
   * Moves releases from the group of `releaseId` to a group of their own, and records the change in
   * the audit. Later imports do not undo the split. If all of the moved releases belong to another
   * group without edits, and that group is empty, their edits are removed instead. Throws
   * `not found` for an unknown release. Throws a 422 if the group does not contain one of the
   * releases, or if no release would remain in it.
   */
  split(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<void>;
}

/** Maximum number of releases that are read of one group. The largest real group has 96. */
export const maxGroupSize = 2_000;
/** Maximum number of releases that one request moves to another group. */
export const maxMovedReleases = 1_000;
