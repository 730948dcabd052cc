import type { GroupRelease } from '../shared/groups/group.ts';
import type { ReleaseTexts } from '../shared/missing-list.ts';
import type { SelectedSet } from '../shared/release-rule.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { Viewer } from '../shared/requests/viewer.ts';
import type { StoredSet } from './set.ts';

/** A page of a list: up to `limit` items, starting at the 0-based position `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export type NewSet = Pick<StoredSet, 'name' | 'ownerId' | 'isShared' | 'rule' | 'prefer'>;
export type SetChange = Partial<Pick<StoredSet, 'name' | 'isShared' | 'rule' | 'prefer'>>;

/**
 * The sets in the database. A viewer sees its own sets and shared ones; `everybody` sees all. Each
 * write is one transaction, which also records the actor in the audit. Each write throws
 * `not authenticated` or `forbidden` when the actor no longer has the right to write.
 */
export interface SetRecords {
  /** Throws `not authenticated` or `forbidden` when the actor no longer has the right to write. */
  checkRight(actor: Actor): Promise<void>;
  /** Returns sets ordered by name, then by id; all sets if `page` is missing. */
  list(viewer: Viewer, page?: Page): Promise<StoredSet[]>;
  find(id: number, viewer: Viewer): Promise<StoredSet | null>;
  /** Returns the sets with exactly this name: the viewer's own first, then by id. */
  listByName(name: string, viewer: Viewer): Promise<StoredSet[]>;
  /** Returns the sets with these ids that the viewer sees, in any order. */
  listByIds(ids: readonly number[], viewer: Viewer): Promise<StoredSet[]>;
  /** Stores a set and returns its id. Throws `set already exists` or `too many sets`. */
  create(set: NewSet, actor: Actor): Promise<number>;
  /**
   * Changes a set that the viewer sees; returns false if there is none. Throws `forbidden` if the
   * set is shared and the actor's right is only that of a user. Throws `set already exists`.
   */
  update(id: number, change: SetChange, viewer: Viewer, actor: Actor): Promise<boolean>;
  /** Deletes a set; returns and throws the same as `update`. */
  remove(id: number, viewer: Viewer, actor: Actor): Promise<boolean>;
}

/** The releases of sets. */
export interface SetReleases {
  /**
   * Returns the number of releases of a set. The number is cached until the catalogue changes. If
   * the rule depends on the library, it is cached only until the library changes too.
   */
  countIn(set: SelectedSet): Promise<number>;
  /** Returns the ids in `ids` whose releases meet the rule of a set. */
  selectIds(set: SelectedSet, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Yields the releases of a set without a file in the library, by name, in batches. */
  streamMissing(which: { readonly set: SelectedSet }): AsyncIterable<readonly ReleaseTexts[]>;
}

/** The groups of releases that are editions of one game. */
export interface SetGroups {
  /** Returns the group of a release; null for an unknown release. */
  find(releaseId: number): Promise<{ readonly releases: readonly GroupRelease[] } | null>;
}
