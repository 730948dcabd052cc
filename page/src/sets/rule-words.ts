import type { SavedSet } from '../api/sets.ts';
import { language } from '../language/language.svelte.ts';
import type { RuleWords } from './rule/rule-text.ts';
import { setTexts } from './set-texts.ts';

/** Returns the words for rules in the current language of the page. */
export function ruleWords(sets: readonly Pick<SavedSet, 'id' | 'name'>[]): RuleWords {
  return {
    t: setTexts[language.t.code],
    locale: language.locale,
    number: (value) => language.number(value),
    quoted: (text) => language.t.quoted(text),
    system: (system) => language.system(system),
    library: language.t.filter.ofLibrary,
    cover: language.t.filter.ofCover,
    setNames: new Map(sets.map(({ id, name }) => [id, name])),
  };
}
