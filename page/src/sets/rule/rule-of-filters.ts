import type { Filter } from '../../api/releases.ts';
import { valuesOf } from '../../catalogue/filters/filter-values.ts';
import type { Rule, RuleCondition, RuleField, RuleValue } from './rule.ts';

/** The filters that become conditions on the field of the same name, in their order in the rule. */
const sameFields = [
  ...(['system', 'platform', 'region', 'genre', 'publisher', 'library', 'cover'] as const),
];

/**
 * Returns the rule that selects the releases of the list with these filters. `setId` is the id of
 * the set that the filter `set` names, or null if there is none. Unlike filters, rules ignore the
 * case of A to Z in genres and publishers.
 */
export function ruleOfFilters(filter: Filter, setId: number | null): Rule {
  const search = filter.search.trim();
  const conditions: Rule[] = [
    ...(setId === null ? [] : [{ field: 'set', is: setId } as const]),
    ...sameFields.flatMap((name) => conditionOn(name, valuesOf(name, filter[name]))),
    ...yearCondition(filter.year),
    ...(search === '' ? [] : [{ field: 'search', contains: search } as const]),
  ];
  const [only, ...others] = conditions;
  return only !== undefined && others.length === 0 ? only : { all: conditions };
}

/**
 * Returns the condition on years. If the filter names no valid year, no release satisfies the
 * condition.
 */
function yearCondition(text: string): Rule[] {
  const values = valuesOf('year', text);
  if (values.length === 0) return [];
  const years = values.filter((value) => /^\d{4}$/.test(value)).map(Number);
  return years.length === 0 ? [{ any: [] }] : conditionOn('year', years);
}

function conditionOn(field: RuleField, values: readonly RuleValue[]): RuleCondition[] {
  const [first, ...others] = values;
  if (first === undefined) return [];
  return [others.length === 0 ? { field, is: first } : { field, in: values }];
}
