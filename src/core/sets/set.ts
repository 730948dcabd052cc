import { invalidField } from '../shared/errors.ts';
import type { Preference } from '../shared/groups/choose.ts';
import type { Rule } from '../shared/release-rule.ts';
import type { Viewer } from '../shared/requests/viewer.ts';
import { checkLength } from '../shared/text-limits.ts';

/** Maximum number of sets of one user. */
export const maxSetsPerUser = 100;
const nameLimit = { characters: 100 };

/** A saved rule with its owner. */
export interface StoredSet {
  readonly id: number;
  readonly name: string;
  /** Null if the set has no owner. All users see such a set. */
  readonly ownerId: number | null;
  /** The name of the owner. */
  readonly owner: string | null;
  /** True if all users see the set. */
  readonly isShared: boolean;
  readonly rule: Rule;
  /** The preference that chooses editions; null if the set contains all that the rule selects. */
  readonly prefer: Preference | null;
}

/** A set, and the number of its releases. The number is null if it is not known yet. */
export type CountedSet = StoredSet & { readonly count: number | null };

/**
 * Returns the form in which the name of a set is stored and compared: trimmed, in Unicode NFC.
 * Throws a 422 for a name that a set may not have. A name may not be digits alone, because such a
 * text is the id of a set.
 */
export function checkedName(text: string): string {
  const name = normaliseName(text);
  if (name === '') throw invalidField('name', 'must not be empty');
  checkLength('name', name, nameLimit);
  if (name.includes('/')) throw invalidField('name', 'must not contain a slash');
  if (/^\d+$/.test(name)) throw invalidField('name', 'must not be digits alone');
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) {
    throw invalidField('name', 'must not contain control, format or bidirectional characters');
  }
  return name;
}

export function normaliseName(text: string): string {
  return text.normalize('NFC').trim();
}

/** Returns true if the viewer is the owner of the set. */
export function isOwner(viewer: Viewer, { ownerId }: Pick<StoredSet, 'ownerId'>): boolean {
  return viewer !== 'everybody' && viewer.userId === ownerId;
}
