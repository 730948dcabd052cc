import { methods } from '../library-file.ts';
import type { Candidate } from './candidate.ts';

/**
 * The rules that decide which release a file has (docs/library.md). The kinds of evidence come
 * first. All other rules keep some of the releases that evidence matched, and rule out others:
 * - `members`: the release contains all known files of an archive.
 * - `platform`, `disc`, `revision`, `version`, `region`: what the disc states.
 * - `own-serial`: the release has no other serial than the disc.
 * - `dump`: the release lists no hashes that the file should have.
 * - `full-serial`: the release lists the serial exactly as the disc states it.
 * - `size`: the size of the image.
 * - `tracks`: the release has the most tracks of the disc.
 * - `file-name`: the file is named like the release.
 * - `same-content`: the releases have the same content, so the first is taken.
 */
export const matchRules = [
  ...methods,
  'members',
  'platform',
  'disc',
  'revision',
  'version',
  'region',
  'own-serial',
  'dump',
  'full-serial',
  'size',
  'tracks',
  'file-name',
  'same-content',
] as const;
export type MatchRule = (typeof matchRules)[number];

/**
 * A rule that was applied. `held` and `failed` list the ids of the releases that pass or fail it.
 */
export interface Reason {
  readonly rule: MatchRule;
  readonly held: readonly number[];
  readonly failed: readonly number[];
}

type Released = Pick<Candidate, 'releaseId'>;

/** Maximum number of releases in `held`, and in `failed`. */
const maxReleases = 20;

/** Collects the reasons of one decision, in the order in which the rules were applied. */
export class Reasons {
  #all: Reason[] = [];

  /** Records the releases that a kind of evidence matches. Does nothing if there are none. */
  addMatches(rule: MatchRule, releases: readonly Released[]): void {
    if (releases.length > 0) this.#add(rule, releases, []);
  }

  /**
   * Records that a rule reduced the releases `before` to the releases `kept`. Does nothing if the
   * rule kept all releases.
   */
  addChoice(rule: MatchRule, before: readonly Released[], kept: readonly Released[]): void {
    if (kept.length === before.length) return;
    const ids = new Set(kept.map(({ releaseId }) => releaseId));
    this.#add(
      rule,
      kept,
      before.filter(({ releaseId }) => !ids.has(releaseId)),
    );
  }

  addAll(reasons: readonly Reason[]): void {
    this.#all.push(...reasons);
  }

  /** Returns the reasons. If a reason has too many releases, those in `final` are preferred. */
  list(final: readonly number[]): readonly Reason[] {
    const first = new Set(final);
    const some = (ids: readonly number[]) =>
      ids.length <= maxReleases
        ? ids
        : [...ids.filter((id) => first.has(id)), ...ids.filter((id) => !first.has(id))].slice(
            0,
            maxReleases,
          );
    return this.#all.map(({ rule, held, failed }) => ({
      rule,
      held: some(held),
      failed: some(failed),
    }));
  }

  #add(rule: MatchRule, held: readonly Released[], failed: readonly Released[]): void {
    const idsOf = (releases: readonly Released[]) => [
      ...new Set(releases.map(({ releaseId }) => releaseId)),
    ];
    this.#all.push({ rule, held: idsOf(held), failed: idsOf(failed) });
  }
}
