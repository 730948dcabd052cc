import type { Filter } from '../../api/releases.ts';
import { valuesOf } from '../../catalogue/filters/filter-values.ts';
import { shortPlatform } from '../../catalogue/release-name.ts';
import type { RuleWords } from './rule-text.ts';

/** Maximum length of the name of a set. */
const maxLength = 100;

/**
 * Returns a name for a set with these filters, such as `PlayStation, Europe`. The user can change
 * it.
 */
export function nameOfFilters(filter: Filter, { library, cover, system }: RuleWords): string {
  const parts = [
    filter.search.trim(),
    ...(filter.system === '' ? [] : [system(filter.system)]),
    ...valuesOf('platform', filter.platform).map(shortPlatform),
    ...(['region', 'genre', 'year', 'publisher'] as const).flatMap((name) =>
      valuesOf(name, filter[name]),
    ),
    library[filter.library] ?? '',
    cover[filter.cover] ?? '',
  ].filter((part) => part !== '');
  const name = parts.join(', ').replaceAll('/', '-');
  // A name that consists only of digits would be read as the id of a set.
  const text = /^\d+$/.test(name) ? '' : name;
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 2).join('')} …` : text;
}
