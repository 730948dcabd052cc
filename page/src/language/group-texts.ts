import { groups as german } from './de/groups.ts';
import { groups as english } from './en/groups.ts';
import type { Messages } from './en.ts';

/**
 * The texts about groups by language. They are not part of `Messages`, so that the first view does
 * not load them.
 */
export const groupTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};
