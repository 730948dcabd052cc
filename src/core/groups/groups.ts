import { notFound } from '../shared/errors.ts';
import { editionsOf } from '../shared/groups/editions.ts';
import type { Edition } from '../shared/groups/group.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { GroupRecords } from './ports.ts';

/** The editions of a game on one platform. */
export interface Group {
  /** The smallest id of its releases. The id of any of its releases also identifies the group. */
  readonly id: number;
  readonly title: string;
  readonly platform: string;
  /** Ordered by name. */
  readonly editions: readonly Edition[];
  /** The ids of the releases that an editor put into the group. */
  readonly edited: ReadonlySet<number>;
}

/** Reads and edits the groups of releases that are editions of one game. */
export class Groups {
  readonly #records: GroupRecords;

  constructor(records: GroupRecords) {
    this.#records = records;
  }

  /** Returns the group of a release. Throws `not found`. */
  async get(releaseId: number): Promise<Group> {
    const found = await this.#records.find(releaseId);
    if (found === null) throw notFound();
    const { platform, releases } = found;
    const editions = editionsOf(releases);
    const edited = releases.filter((release) => release.edited).map(({ id }) => id);
    const [first] = releases;
    return {
      id: first?.id ?? releaseId,
      title: editions[0]?.title ?? '',
      platform,
      editions,
      edited: new Set(edited),
    };
  }

  /**
   * Moves releases to the group of a release, and returns the group. Throws the errors of
   * `GroupRecords.join`.
   */
  async join(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<Group> {
    await this.#records.join(releaseId, releaseIds, actor);
    return this.get(releaseId);
  }

  /**
   * Moves releases of a group to a group of their own, and returns the new group. Throws the errors
   * of `GroupRecords.split`.
   */
  async split(releaseId: number, releaseIds: readonly number[], actor: Actor): Promise<Group> {
    await this.#records.split(releaseId, releaseIds, actor);
    return this.get(releaseIds[0] ?? releaseId);
  }
}
