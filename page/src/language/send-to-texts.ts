import { sendTo as german } from './de/send-to.ts';
import { sendTo as english } from './en/send-to.ts';
import type { Messages } from './en.ts';

/**
 * The texts about exports by language. They are not part of `Messages`, so that the first view does
 * not load them.
 */
export const sendToTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};

/**
 * Returns the sentence that says where to put an export. A profile from the data folder (`own`)
 * contains its sentence, in a single language.
 */
export function placementText(
  {
    id,
    own,
    placement,
  }: { readonly id: string; readonly own: boolean; readonly placement: string },
  code: Messages['code'],
): string {
  return own ? placement : (sendToTexts[code].placements[id] ?? placement);
}
