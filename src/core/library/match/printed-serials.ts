import { normaliseSerials } from '../../shared/serial.ts';
import { discProperties } from '../discs.ts';
import type { Identity } from '../identity.ts';

/**
 * Returns the normalised forms (see `normaliseSerials`) under which a disc's serial may be printed
 * and listed. A reissue is often listed with a suffix, although its disc states the same serial as
 * the first issue. So the forms with suffixes are returned too, and both releases become
 * candidates.
 */
export function printedSerials({ disc, serial }: Pick<Identity, 'disc' | 'serial'>): string[] {
  const stated = serial ?? '';
  // Redump lists Sega's own numbers without the prefix MK. For example, a disc states MK-81079, and
  // the DAT lists 81079.
  const forms = [
    ...normaliseSerials(stated),
    ...normaliseSerials(stated.replace(/^MK-(?=\d)/, '')),
    // Aicom's serials (AICD) are numbered in the same series as NGCD serials. A disc that states
    // NGCD-n may therefore be listed as AICD-n. ADK (ADCD) and Data East (DECD) have series of
    // their own.
    ...normaliseSerials(stated.replace(/^NGCD-/, 'AICD-')),
  ];
  const suffixes = (disc && discProperties(disc).suffixes) ?? [];
  // No suffix is added to a serial that is T followed by digits only. For example, T-1250 with the
  // suffix 45 would be T-125045, which is another Mega-CD game.
  const longer = forms.filter((form) => !/^T\d+$/.test(form));
  return [...forms, ...longer.flatMap((form) => suffixes.map((suffix) => form + suffix))];
}
