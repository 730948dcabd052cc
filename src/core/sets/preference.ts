import { invalidField } from '../shared/errors.ts';
import type { Preference } from '../shared/groups/choose.ts';
import { printable } from '../shared/text.ts';
import { lengthProblem } from '../shared/text-limits.ts';
import { languageCode } from './read-rule.ts';

/** Limits of a preference: values in each list, and the length of a value. */
export const preferenceLimits = { values: 100, characters: 100 };

/** The keys of a preference in the API, each with the value that a missing key has. */
const defaults = {
  one_per_game: true,
  regions: [] as readonly string[],
  languages: [] as readonly string[],
  revision: 'newest' as Preference['revision'],
  avoid: [] as readonly string[],
  among: 'catalogue' as Preference['among'],
};
type PreferenceRecord = typeof defaults;

/**
 * Reads a preference that a client sent; null for none. Throws a 422 that names the first wrong
 * part, such as `prefer.regions[2]`, counted from 0.
 */
export function readPreference(value: unknown): Preference | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField('prefer', 'must be an object or null');
  }
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(defaults, key));
  if (unknown !== undefined) {
    const quoted = JSON.stringify(printable(unknown.slice(0, 50)));
    throw invalidField('prefer', `there is no key ${quoted}`);
  }
  const given: { readonly [Key in keyof PreferenceRecord]: unknown } = { ...defaults, ...value };
  return {
    onePerGame: readBoolean('prefer.one_per_game', given.one_per_game),
    regions: readList('prefer.regions', given.regions, () => null),
    languages: readList('prefer.languages', given.languages, (text) =>
      languageCode.test(text) ? null : 'must be a language code such as En or Pt-BR',
    ),
    revision: readChoice('prefer.revision', given.revision, ['newest', 'oldest']),
    avoid: readList('prefer.avoid', given.avoid, () => null),
    among: readChoice('prefer.among', given.among, ['catalogue', 'library']),
  };
}

/** Returns a preference as the API shows it. */
export function toPreferenceRecord(preference: Preference | null): PreferenceRecord | null {
  if (preference === null) return null;
  const { onePerGame, regions, languages, revision, avoid, among } = preference;
  return { one_per_game: onePerGame, regions, languages, revision, avoid, among };
}

function readBoolean(path: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidField(path, 'must be true or false');
  return value;
}

function readChoice<T extends string>(path: string, value: unknown, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) {
    const listed = choices.map((each) => `"${each}"`).join(' or ');
    throw invalidField(path, `must be ${listed}`);
  }
  return choice;
}

/** Reads a list of texts. Texts that are equal except for case are refused. */
function readList(
  path: string,
  value: unknown,
  problemOf: (text: string) => string | null,
): string[] {
  if (!Array.isArray(value)) throw invalidField(path, 'must be an array');
  const { values, characters } = preferenceLimits;
  if (value.length > values) throw invalidField(path, `must have at most ${values} values`);
  const known = new Set<string>();
  return value.map((each: unknown, i) => {
    const at = `${path}[${i}]`;
    if (typeof each !== 'string') throw invalidField(at, 'must be a text');
    const text = each.trim();
    const problem =
      text === '' ? 'must not be empty' : (lengthProblem(text, { characters }) ?? problemOf(text));
    if (problem !== null) throw invalidField(at, problem);
    if (known.has(text.toLowerCase())) throw invalidField(at, 'is listed twice');
    known.add(text.toLowerCase());
    return text;
  });
}
