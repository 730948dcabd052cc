import type { Preference } from '../../api/sets.ts';
import type { SetTexts } from '../../language/en/sets.ts';
import { type Rule, type RuleCondition, type RuleField, type RuleValue, valuesOf } from './rule.ts';

/** The words, names and formats that express a rule as text. */
export interface RuleWords {
  readonly t: SetTexts;
  /** The locale for the names of languages. */
  readonly locale: string;
  readonly number: (value: number) => string;
  readonly quoted: (text: string) => string;
  /** Returns the displayed name of a release's type. The API calls the type `system`. */
  readonly system: (system: string) => string;
  /** The names of the values of the library filter. */
  readonly library: Readonly<Record<string, string>>;
  /** The names of the values of the cover filter. */
  readonly cover: Readonly<Record<string, string>>;
  /** The names of sets by id. */
  readonly setNames: ReadonlyMap<number, string>;
}

/** Maximum number of values of a condition that are listed. */
const maxValues = 6;

/** Returns a rule in words, such as `All of: Platform is PSP; Region is Europe or World`. */
export function ruleText(rule: Rule, words: RuleWords): string {
  return textOf(rule, words, false, true);
}

/** Returns the text of a value of a field. */
export function valueText(field: RuleField, value: RuleValue, words: RuleWords): string {
  const { t, locale, system, library, setNames } = words;
  const text = String(value);
  if (field === 'system') return system(text);
  if (field === 'library') return library[text] ?? text;
  if (field === 'cover') return t.covers[text] ?? text;
  if (field === 'language') return languageName(text, locale);
  if (field === 'tag') return t.tags[text] ?? text;
  if (field === 'set') return setNames.get(Number(value)) ?? t.unknownSet(Number(value));
  if (field === 'release_ids') return t.unknownRelease(Number(value));
  return text;
}

/** Returns the name of a language, such as `English` for `En`. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // not a language code
  }
}

/**
 * Returns a part of a rule in words. `isNegated` is true within an odd number of `not`. If
 * `isOuter` is true, a group has no parentheses.
 */
function textOf(rule: Rule, words: RuleWords, isNegated: boolean, isOuter: boolean): string {
  if ('not' in rule) return textOf(rule.not, words, !isNegated, isOuter);
  if ('field' in rule) return conditionText(rule, words, isNegated);
  const { t } = words;
  const mode = 'all' in rule ? 'all' : 'any';
  const parts = 'all' in rule ? rule.all : rule.any;
  const [only, ...others] = parts;
  if (only === undefined) return (mode === 'all') === isNegated ? t.nothing : t.anything;
  if (others.length === 0) return textOf(only, words, isNegated, isOuter);
  const name = t.modes[isNegated ? (mode === 'all' ? 'notAll' : 'notAny') : mode];
  const list = parts.map((part) => textOf(part, words, false, false)).join('; ');
  return isOuter ? `${name}: ${list}` : `${name.charAt(0).toLowerCase()}${name.slice(1)} (${list})`;
}

/** Returns a condition in words, such as `Region is Europe or World`. */
export function conditionText(
  condition: RuleCondition,
  words: RuleWords,
  isNegated: boolean,
): string {
  const { t, number, quoted } = words;
  const { field, contains, from, to } = condition;
  const name = t.fields[field];
  if (contains !== undefined) {
    return `${name} ${isNegated ? t.containsNot : t.contains} ${quoted(contains)}`;
  }
  if (from !== undefined && to !== undefined) {
    return `${name} ${isNegated ? t.betweenNot : t.between} ${from} ${t.and} ${to}`;
  }
  if (from !== undefined || to !== undefined) {
    const text = from !== undefined ? t.atLeast(name, `${from}`) : t.atMost(name, `${to}`);
    return isNegated ? t.not(text) : text;
  }
  const values = valuesOf(condition);
  const valuesText =
    field === 'release_ids'
      ? t.chosenReleases(number(values.length))
      : listText(
          values.map((value) => valueText(field, value, words)),
          words,
        );
  return `${name} ${isNegated ? t.isNot : t.is} ${valuesText}`;
}

function listText(values: readonly string[], { t, number }: RuleWords): string {
  const shown = values.slice(0, values.length > maxValues ? maxValues - 1 : maxValues);
  const hidden = values.length - shown.length;
  const listed = hidden > 0 ? [...shown, t.moreOr(number(hidden))] : shown;
  const last = listed.at(-1);
  if (last === undefined) return t.noValue;
  return listed.length === 1 ? last : `${listed.slice(0, -1).join(', ')} ${t.or} ${last}`;
}

/** Returns a preference in words. Returns "" if there is none, or if it has no effect. */
export function preferenceText(prefer: Preference | null, words: RuleWords): string {
  if (prefer === null) return '';
  const { t, locale } = words;
  const { regions, languages, revision, avoid, among } = prefer;
  const order = ([first, ...others]: readonly string[]) =>
    first === undefined ? [] : [[t.preferredFirst(first), ...others].join(t.afterwards)];
  const owned = among === 'library' ? [t.ownedOnly] : [];
  if (!prefer.one_per_game) return owned.join('');
  const tags = avoid.map((tag) => t.tags[tag] ?? tag);
  return t.preferred(
    [
      ...order(regions),
      ...order(languages.map((code) => languageName(code, locale))),
      revision === 'newest' ? t.newestRevision : t.oldestRevision,
      ...(tags.length === 0 ? [] : [t.avoids(listText(tags, words))]),
      ...owned,
    ].join('; '),
  );
}
