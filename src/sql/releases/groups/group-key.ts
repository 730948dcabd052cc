import { titleOf } from '../../../core/shared/names/release-name.ts';
import { sortName } from '../sort-name.ts';

/** Maximum length of a group's key in characters, so that an index can store the key. */
export const maxKeyLength = 400;

/**
 * Returns the key of the group to which a name belongs: its title in the form of `sortName`,
 * without parentheses. The database calculates the same text (migration 0039).
 */
export function groupKeyOf(name: string): string {
  return [...titleOf(sortName(name))].slice(0, maxKeyLength).join('');
}
