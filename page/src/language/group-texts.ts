import { groups as german } from './de/groups.ts';
import { groups as english } from './en/groups.ts';
import type { Messages } from './en.ts';

/** The texts about groups by language. They are not part of `Messages`, which each view loads. */
export const groupTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};
