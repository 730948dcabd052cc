import { hash } from 'node:crypto';
import type { Clock } from '../shared/clock.ts';
import { CatalogError, forbidden, invalidField, notFound } from '../shared/errors.ts';
import { missingCsv, missingDat } from '../shared/missing-list.ts';
import type { Rule, SelectedSet } from '../shared/release-rule.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { Viewer } from '../shared/requests/viewer.ts';
import { expandRule, setConditions } from './expand-rule.ts';
import { type Explanation, explain } from './explain.ts';
import type { NewSet, Page, SetChange, SetGroups, SetRecords, SetReleases } from './ports.ts';
import { type CountedSet, checkedName, isOwner, normaliseName, type StoredSet } from './set.ts';

/**
 * Maximum time in milliseconds for which a list of sets counts releases. Sets that are not counted
 * by then are listed without a number.
 */
const maxCountingMs = 2_000;

/** The parts of a set that select releases. A set that is not saved has no id. */
type Selecting = Pick<StoredSet, 'rule' | 'prefer'> & Partial<Pick<StoredSet, 'id'>>;

/** A list of missing releases as text, and the name of its set. */
export interface MissingText {
  readonly name: string;
  readonly text: AsyncIterable<string>;
}

/** Saves rules as sets, and selects the releases of sets. */
export class Sets {
  readonly #records: SetRecords;
  readonly #releases: SetReleases;
  readonly #groups: SetGroups;
  readonly #clock: Clock;

  constructor(parts: {
    records: SetRecords;
    releases: SetReleases;
    groups: SetGroups;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#releases = parts.releases;
    this.#groups = parts.groups;
    this.#clock = parts.clock;
  }

  /** Returns the sets that a viewer sees, ordered by name, then by id. */
  async list(viewer: Viewer, page?: Page): Promise<CountedSet[]> {
    const until = this.#clock.monotonic() + maxCountingMs;
    const counted: CountedSet[] = [];
    // Count one set after the other, so that other requests are not refused meanwhile.
    for (const set of await this.#records.list(viewer, page)) {
      const count = this.#clock.monotonic() < until ? await this.#countOrNull(set, viewer) : null;
      counted.push({ ...set, count });
    }
    return counted;
  }

  /** Does the same as `list`, but does not count the releases of the sets. */
  listUncounted(viewer: Viewer): Promise<StoredSet[]> {
    return this.#records.list(viewer);
  }

  /** Returns a set. Throws `not found`. */
  async get(id: number, viewer: Viewer): Promise<StoredSet> {
    const set = await this.#records.find(id, viewer);
    if (set === null) throw notFound();
    return set;
  }

  /**
   * Returns a set for a write. Throws `not found`. If the set was deleted together with the account
   * of the actor, throws `not authenticated` instead.
   */
  async getForWrite(id: number, viewer: Viewer, actor: Actor): Promise<StoredSet> {
    const set = await this.#records.find(id, viewer);
    if (set !== null) return set;
    await this.#records.checkRight(actor);
    throw notFound();
  }

  /**
   * Returns a set with the number of its releases. The number is null if the server is busy, or if
   * the rules of the sets cannot be combined.
   */
  async withCount(set: StoredSet, viewer: Viewer): Promise<CountedSet> {
    return { ...set, count: await this.#countOrNull(set, viewer) };
  }

  /** Returns the sets with an id or a name: the viewer's own set first, then by id. */
  async listNamed(idOrName: string, viewer: Viewer): Promise<StoredSet[]> {
    const name = normaliseName(idOrName);
    if (name.includes('\0')) return []; // no database can search for NUL
    if (!/^\d+$/.test(name)) return this.#records.listByName(name, viewer);
    const id = Number(name);
    const set = Number.isSafeInteger(id) ? await this.#records.find(id, viewer) : null;
    return set === null ? [] : [set];
  }

  /**
   * Returns the releases of the set with an id or a name, for a filter. Among sets with the same
   * name, the viewer's own comes first. Throws `not found`.
   */
  async select(idOrName: string, viewer: Viewer): Promise<SelectedSet> {
    const [set] = await this.listNamed(idOrName, viewer);
    if (set === undefined) throw notFound();
    return this.#selected(set, viewer);
  }

  /** Returns the releases that a set would have. Throws the errors of `create` for its rule. */
  async selectUnsaved(set: Selecting, viewer: Viewer): Promise<SelectedSet> {
    await this.#checkNamed({ ...set, isShared: false }, viewer);
    return this.#selected(set, viewer);
  }

  /**
   * Saves a set and returns it. Throws a 422 for an invalid name or rule, and the errors of
   * `expandRule` and of `SetRecords.create`.
   */
  async create(set: NewSet, viewer: Viewer, actor: Actor): Promise<StoredSet> {
    const checked = { ...set, name: checkedName(set.name) };
    await this.#checkNamed(checked, viewer);
    return this.get(await this.#records.create(checked, actor), viewer);
  }

  /**
   * Changes a set and returns it. Only the owner may make a shared set private. Throws the errors
   * of `create`, `not found` and `forbidden`.
   */
  async update(id: number, change: SetChange, viewer: Viewer, actor: Actor): Promise<StoredSet> {
    const set = await this.get(id, viewer);
    if (change.isShared === false && set.isShared) {
      if (set.ownerId === null) throw invalidField('shared', 'a set without an owner is shared');
      if (viewer !== 'everybody' && !isOwner(viewer, set)) throw forbidden();
    }
    const name = change.name === undefined ? {} : { name: checkedName(change.name) };
    // An unchanged rule is not checked again, unless the set becomes shared, because sets that the
    // rule names may have changed since it was saved.
    const isChecked = change.rule !== undefined || change.isShared === true;
    if (isChecked) await this.#checkNamed({ ...set, ...change }, viewer);
    if (!(await this.#records.update(id, { ...change, ...name }, viewer, actor))) throw notFound();
    return this.get(id, viewer);
  }

  /**
   * Explains why a release is in a set or not. Throws `not found` for an unknown set or release,
   * and the errors of `expandRule`.
   */
  async explain(id: number, releaseId: number, viewer: Viewer): Promise<Explanation> {
    const set = await this.get(id, viewer);
    const group = await this.#groups.find(releaseId);
    if (group === null) throw notFound();
    const { releases } = group;
    const selecting = await this.#selected(set, viewer);
    const ids = releases.map((release) => release.id);
    const owning = { ...selecting, rule: { field: 'library', is: 'have' } as const };
    const [selected, owned] = await Promise.all([
      this.#releases.selectIds(selecting, ids),
      this.#releases.selectIds(owning, ids),
    ]);
    return explain({ releaseId, releases, selected, owned, prefer: set.prefer });
  }

  /** Deletes a set. Throws `not found` and `forbidden`. */
  async remove(id: number, viewer: Viewer, actor: Actor): Promise<void> {
    if (!(await this.#records.remove(id, viewer, actor))) throw notFound();
  }

  /** Returns the releases of a set that the library lacks as CSV. Throws `not found`. */
  async missingCsv(id: number, viewer: Viewer): Promise<MissingText> {
    const set = await this.get(id, viewer);
    const batches = this.#releases.streamMissing({ set: await this.#selected(set, viewer) });
    return { name: set.name, text: missingCsv(batches) };
  }

  /** Returns the releases of a set that the library lacks as a DAT. Throws `not found`. */
  async missingDat(id: number, viewer: Viewer): Promise<MissingText> {
    const set = await this.get(id, viewer);
    const batches = this.#releases.streamMissing({ set: await this.#selected(set, viewer) });
    const { name } = set;
    return { name, text: missingDat(batches, { name, day: this.#today() }) };
  }

  async #selected({ id, rule, prefer }: Selecting, viewer: Viewer): Promise<SelectedSet> {
    const expanded = await expandRule(rule, {
      findRules: (ids) => this.#findRules(ids, viewer),
      ownId: id,
    });
    const today = this.#today();
    const key = hash('sha256', JSON.stringify([expanded, prefer, viewer, today]));
    return { key, rule: expanded, prefer, viewer, today };
  }

  /** Returns null if the server is busy, or if the rules of the sets cannot be combined. */
  async #countOrNull(set: StoredSet, viewer: Viewer): Promise<number | null> {
    try {
      return await this.#releases.countIn(await this.#selected(set, viewer));
    } catch (error) {
      if (error instanceof CatalogError && ['busy', 'conflict'].includes(error.kind)) return null;
      throw error;
    }
  }

  /**
   * Checks the sets that a rule names. Throws a 422 for a set that the viewer does not see, and
   * for a private set that a shared set names. Throws the errors of `expandRule`.
   */
  async #checkNamed(
    { rule, isShared, ...set }: Pick<StoredSet, 'rule' | 'isShared'> & Partial<StoredSet>,
    viewer: Viewer,
  ): Promise<void> {
    const conditions = setConditions(rule, 'rule');
    if (conditions.length === 0) return;
    const named = await this.#records.listByIds(
      conditions.flatMap(({ ids }) => ids),
      viewer,
    );
    const byId = new Map(named.map((each) => [each.id, each]));
    for (const { path, ids } of conditions) {
      for (const id of ids) {
        const found = byId.get(id);
        if (found === undefined) throw invalidField(path, `there is no set ${id}`);
        if (isShared && !found.isShared) {
          throw invalidField(path, 'a shared set can name shared sets only');
        }
      }
    }
    await expandRule(rule, {
      findRules: (ids) => this.#findRules(ids, viewer),
      ownId: set.id,
    });
  }

  async #findRules(ids: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, Rule>> {
    const sets = await this.#records.listByIds(ids, viewer);
    return new Map(sets.map(({ id, rule }) => [id, rule]));
  }

  #today(): string {
    return this.#clock.timestamp().slice(0, 10);
  }
}
