import type { MatchReason } from '../api/library.ts';
import type { Messages } from '../language/en.ts';

/** Maximum number of releases that a sentence names. */
const maxNamed = 3;

/**
 * Returns the reasons for a match as sentences. Each rule that was applied gets one sentence, in
 * the order of the rules.
 */
export function reasonTexts(
  why: readonly MatchReason[],
  { reasons }: Messages,
  locale: string,
): readonly string[] {
  const format = new Intl.ListFormat(locale, { type: 'conjunction' });
  const listed = (names: readonly string[]) => {
    const more = names.length - maxNamed;
    if (more < 1) return format.format(names);
    return format.format([...names.slice(0, maxNamed), reasons.others(more)]);
  };
  return stepsOf(why).map(({ rule, kept, others }) => {
    const what = reasons.rules[rule];
    if (others.length === 0) return reasons.matches(what, listed(kept));
    if (kept.length === 0) return reasons.rulesOut(what, listed(others));
    if (rule === 'same-content') return reasons.same(listed(kept), listed(others));
    return reasons.prefers(what, listed(kept), listed(others));
  });
}

/** Returns true if evidence matched releases, but the rules excluded all of them. */
export function areAllRuledOut(why: readonly MatchReason[]): boolean {
  const [last] = stepsOf(why).slice(-1);
  return last !== undefined && last.kept.length === 0;
}

interface Step {
  readonly rule: MatchReason['rule'];
  readonly kept: string[];
  readonly others: string[];
}

/**
 * Groups the reasons by rule. A rule that is applied twice in a row begins a new group when a
 * release is kept after others were left out.
 */
function stepsOf(why: readonly MatchReason[]): Step[] {
  const steps: Step[] = [];
  for (const { rule, release, held } of why) {
    let step = steps.at(-1);
    if (step === undefined || step.rule !== rule || (held && step.others.length > 0)) {
      step = { rule, kept: [], others: [] };
      steps.push(step);
    }
    (held ? step.kept : step.others).push(release.name);
  }
  return steps;
}
