import { sendTo as german } from './de/send-to.ts';
import { sendTo as english } from './en/send-to.ts';
import type { Messages } from './en.ts';

/** The texts about exports by language. They are not part of `Messages`, which each view loads. */
export const sendToTexts: Readonly<Record<Messages['code'], typeof english>> = {
  en: english,
  de: german,
};

/**
 * Returns the sentence on where to put an export. Own profiles of the data folder have one in a
 * single language.
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
