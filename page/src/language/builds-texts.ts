import { builds as german } from './de/builds.ts';
import { builds as english } from './en/builds.ts';
import type { Messages } from './en.ts';

/**
 * The texts of builds by language. They are not part of `Messages`, so that the first view does not
 * load them.
 */
export const buildsTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};
