import type { ExplainedEdition, Explanation } from '../../core/sets/explain.ts';
import type { ChoiceRule } from '../../core/shared/groups/choose.ts';
import { printable } from '../../core/shared/text.ts';

const reasons: Readonly<Record<ChoiceRule, string>> = {
  library: 'the library lacks it, or one of its discs',
  avoid: 'it has a tag to avoid',
  region: 'another one has a better region',
  language: 'another one has a better language',
  revision: 'another one has a better revision',
  labels: 'another one has fewer other tags',
  name: 'the name of another one comes first',
};

/** Returns the sentences that explain why a release is in a set or not. */
export function explanationLines(name: string, explanation: Explanation): string[] {
  const { isInSet, isSelected, rejectedBy, editions } = explanation;
  const verdict = isInSet ? 'is in the set' : 'is not in the set';
  const lines = [`${printable(name)} ${verdict}.`];
  if (!isSelected) return [...lines, 'The rule of the set does not select it.'];
  lines.push('The rule of the set selects it.');
  if (rejectedBy !== null) lines.push(`Its edition was rejected: ${reasons[rejectedBy]}.`);
  if (editions.length < 2) return lines;
  return [...lines, 'Editions of the game that the rule selects:', ...editions.map(editionLine)];
}

function editionLine({ edition, rejectedBy }: ExplainedEdition): string {
  const outcome = rejectedBy === null ? 'chosen' : `rejected: ${reasons[rejectedBy]}`;
  return `  ${printable(edition.name)}: ${outcome}`;
}
