import { Refusal } from '../api/request.ts';
import type { SetTexts } from '../language/en/sets.ts';
import type { Messages } from '../language/en.ts';
import { failureText } from '../language/failure-text.ts';

/**
 * A failed save or preview of a set: the part of the set that it concerns, and an explanation in
 * the language of the page.
 */
export interface SetFailure {
  /**
   * The path of the part, such as `name`, `rule.any[1]` or `prefer.regions[2]`. Null if the refusal
   * concerns no single part.
   */
  readonly path: string | null;
  readonly text: string;
}

/** Explains why saving or previewing a set failed. */
export function setFailure(failure: unknown, t: Messages, texts: SetTexts): SetFailure {
  if (!(failure instanceof Refusal)) return { path: null, text: failureText(failure, t) };
  const { status, message } = failure;
  if (status === 409) {
    const path = message === 'set already exists' ? 'name' : null;
    return { path, text: byDetail(texts)[message] ?? failureText(failure, t) };
  }
  const [, path = null, problem = ''] = /^((?:name|rule|prefer)\S*): (.*)$/s.exec(message) ?? [];
  if (status !== 422 || path === null) return { path: null, text: failureText(failure, t) };
  return { path, text: problemText(path, problem, texts) ?? t.refused(problem) };
}

function byDetail(texts: SetTexts): Readonly<Record<string, string>> {
  return {
    'set already exists': texts.nameTaken,
    'too many sets': texts.tooManySets,
    'the set contains itself': texts.circle,
    'sets are nested too deeply': texts.tooDeep,
    'the set and the sets that it names are too large': texts.tooLarge,
  };
}

function problemText(path: string, problem: string, texts: SetTexts): string | null {
  if (path === 'name') return texts.nameRules;
  const [, highest] = /must be a whole number from 0 to (\d+)$/.exec(problem) ?? [];
  if (highest !== undefined) return texts.wholeNumber(highest);
  const [, max] = /must be at most (\d+) characters long$/.exec(problem) ?? [];
  if (max !== undefined) return texts.tooLong(max);
  const [, gone] = /^there is no set (\d+)$/.exec(problem) ?? [];
  if (gone !== undefined) return texts.setGone(Number(gone));
  if (problem.includes('must be a language code')) return texts.languageCode;
  if (/^search must (not be empty|be at most 16 words)$/.test(problem)) return texts.searchWords;
  if (problem === 'a shared set can name shared sets only') return texts.sharedOnly;
  if (/groups deep$/.test(problem)) return texts.groupsDeep;
  if (/^a rule has at most/.test(problem)) return texts.ruleTooLarge;
  return null;
}
