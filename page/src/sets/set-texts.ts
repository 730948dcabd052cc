import { sets as german } from '../language/de/sets.ts';
import { sets as english, type SetTexts } from '../language/en/sets.ts';
import type { Messages } from '../language/en.ts';

/**
 * The texts of sets by language. They are not part of `Messages`, so that the first view does not
 * load them.
 */
export const setTexts: Readonly<Record<Messages['code'], SetTexts>> = { en: english, de: german };
