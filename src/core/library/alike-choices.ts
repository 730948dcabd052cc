import type { DistinguishedRelease, FileRecords, NamedRelease } from './shown-files.ts';

/**
 * The rules by which an editor may have chosen one of several releases:
 * - `platform`, `region`: the only release with this platform or region.
 * - `newest`, `first`: the highest or the lowest revision of the same release.
 */
export const choiceRules = ['region', 'platform', 'newest', 'first'] as const;
export type ChoiceRuleName = (typeof choiceRules)[number];

export interface ChoiceRule {
  readonly rule: ChoiceRuleName;
  /** The region or platform; "" for the other rules. */
  readonly value: string;
}

/** The undecided files that a rule decides, each with the release that the rule chooses. */
export interface AlikeChoices extends ChoiceRule {
  readonly files: readonly { id: number; name: string; release: NamedRelease }[];
}

/** Maximum number of files that can be chosen at once. */
export const maxChoices = 500;

/** Maximum number of undecided files that are examined. */
const maxExamined = 5_000;
/** A file with more candidates, such as an archive of many releases, is left out. */
const maxCandidates = 100;

/** The records that `findAlike` reads. */
type Records = Pick<FileRecords, 'listUndecided' | 'findReleases'>;

/**
 * Returns the rules that choose the release `chosen` and none of `others`. Each rule comes with the
 * undecided files that it decides too, at most `maxChoices` files. Rules that decide no file are
 * left out. Returns null if a release does not exist.
 */
export async function findAlike(
  records: Records,
  { chosen, others }: { chosen: number; others: readonly number[] },
): Promise<AlikeChoices[] | null> {
  const own = await records.findReleases([chosen, ...others]);
  const release = own.get(chosen);
  const rejected = others.map((id) => own.get(id));
  if (release === undefined || rejected.includes(undefined)) return null;
  const rules = rulesOf(
    release,
    rejected.filter((each) => each !== undefined),
  );
  if (rules.length === 0) return [];
  const listed = await records.listUndecided(maxExamined);
  const undecided = listed.filter(({ tied }) => tied.length <= maxCandidates);
  const releases = await records.findReleases(undecided.flatMap(({ tied }) => tied));
  const found = rules.map((rule) => {
    const files: AlikeChoices['files'][number][] = [];
    for (const { id, name, tied } of undecided) {
      if (files.length === maxChoices) break;
      const decided = decide(
        rule,
        tied.flatMap((each) => releases.get(each) ?? []),
      );
      if (decided !== null) {
        files.push({ id, name, release: { id: decided.id, name: decided.name } });
      }
    }
    return { ...rule, files };
  });
  return found.filter(({ files }) => files.length > 0);
}

/** Returns the rules that choose the release `chosen`, and none of `others`. */
export function rulesOf(
  chosen: DistinguishedRelease,
  others: readonly DistinguishedRelease[],
): ChoiceRule[] {
  const all = choiceRules.map((rule) => {
    return { rule, value: rule === 'region' || rule === 'platform' ? chosen[rule] : '' };
  });
  return all.filter((rule) => decide(rule, [chosen, ...others])?.id === chosen.id);
}

/** Returns the only release that a rule chooses among several. Returns null if there is none. */
export function decide(
  { rule, value }: ChoiceRule,
  releases: readonly DistinguishedRelease[],
): DistinguishedRelease | null {
  if (releases.length < 2) return null;
  if (rule === 'newest' || rule === 'first') return byRevision(rule, releases);
  if (value === '') return null;
  const [only, ...more] = releases.filter((release) => release[rule] === value);
  return more.length === 0 ? (only ?? null) : null;
}

/**
 * Returns the release with the highest (`newest`) or lowest (`first`) revision. Returns null if the
 * releases differ in more than their revisions, or if two releases share that revision.
 */
function byRevision(
  rule: 'newest' | 'first',
  releases: readonly DistinguishedRelease[],
): DistinguishedRelease | null {
  const kinds = new Set<string>();
  const names = new Set<string>();
  const sorted = releases
    .map((release) => {
      const { kind, number, rest } = revisionOf(release.name);
      if (kind !== '') kinds.add(kind);
      names.add(`${rest}\0${release.platform}\0${release.region}`);
      return { release, number };
    })
    .sort((one, other) =>
      rule === 'newest' ? other.number - one.number : one.number - other.number,
    );
  const [best, next] = sorted;
  const isComparable = kinds.size === 1 && names.size === 1 && best?.number !== next?.number;
  return isComparable ? (best?.release ?? null) : null;
}

const labels = [
  ['Rev', /\(Rev (\d{1,3}|[A-Z])(?:\.(\d{1,3}))?\)/i],
  ['v', /\(v(\d{1,3})(?:\.(\d{1,3}))?\)/i],
] as const;

/**
 * Returns the revision in a release's name, and the name without it. A name without a label counts
 * as the first revision, and its kind is "".
 */
function revisionOf(name: string): { kind: string; number: number; rest: string } {
  for (const [kind, label] of labels) {
    const [found, main = '', minor = '0'] = label.exec(name) ?? [];
    if (found === undefined) continue;
    const letter = main.toUpperCase().charCodeAt(0) - 64;
    const number = (letter > 0 ? letter : Number(main)) * 1000 + Number(minor);
    return { kind, number, rest: name.replace(found, '').replace(/ +/g, ' ').trim() };
  }
  return { kind: '', number: -1, rest: name };
}
