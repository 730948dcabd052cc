import { devices as german } from './de/devices.ts';
import { devices as english } from './en/devices.ts';
import type { Messages } from './en.ts';

/**
 * The texts about devices by language. They are not part of `Messages`, so that the first view does
 * not load them.
 */
export const deviceTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};
