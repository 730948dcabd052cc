import { normaliseSerials } from '../../shared/serial.ts';
import type { DiscKind, Identity } from '../identity.ts';

// Suffixes that are printed after the serial that a disc states. A suffix marks a reissue, an
// edition for one country, or a disc of a set. Source: all suffixes of up to four characters in
// libretro's Redump DATs of 2026-08.
const sonySuffixes = [
  '01 100 11 2 20 21 3 30 31 4 403 5 6 66 7 8 85 9 A A0 A1 A2 ANZ ANZ0 ANZ1 ANZP AUS B B0 B1 B2 BD',
  'C C0 C1 CE D E ENG EUR F F0 F1 FV G GER GER0 GER1 GH GH0 GH1 GH2 GH3 GHA GHF GHF0 GHF1 GHF2 GHF3 GHP',
  'GHY H L LE LEL LES MINI NFR P P0 P1 P2 P3 P30 P31 P3F PANZ PGER RUS RUS0 RUS1 S SA SCA SEA T TP TR Z',
].flatMap((line) => line.split(' '));
const segaSuffixes = [
  '0 01 03 05 050 051 05A 05A0 05B 05B1 06 060 061 08 09 090 091 09A 09A0 09B 09B1 1 11 13 16 18 180',
  '181 18A 18A0 18B 18B1 2 3 4 45 450 451 452 453 47 5 50 500 501 502 503 50E 50E0 50E1 50F 50F0 50F1',
  '50G 50G0 50G1 51 53 56 58 59 6 60 61 610 611 61A 61A0 61B 61B1 64 7 71 710 711 72 74 75 76 79 80 82',
  '820 821 83 84 87 89 91 92 99 B5 H H50 T',
].flatMap((line) => line.split(' '));

const xboxSuffixes = ['0', '1', '2', '3', '4'];
const suffixesOf: Readonly<Partial<Record<DiscKind, readonly string[]>>> = {
  psx: sonySuffixes,
  ps2: sonySuffixes,
  ps3: sonySuffixes,
  psp: sonySuffixes,
  saturn: segaSuffixes,
  dreamcast: segaSuffixes,
  'mega-cd': segaSuffixes,
  xbox: xboxSuffixes,
  'xbox-360': xboxSuffixes,
  'neo-geo-cd': ['E', 'J', 'U'],
};

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
    // Serials of Aicom (AICD) share their numbers with NGCD serials, so the AICD form is added. ADK
    // (ADCD) and Data East (DECD) use separate numbers.
    ...normaliseSerials(stated.replace(/^NGCD-/, 'AICD-')),
  ];
  const suffixes = (disc && suffixesOf[disc]) ?? [];
  // No suffix is added to a serial that is T followed by digits only. For example, T-1250 with the
  // suffix 45 would be T-125045, which is another Mega-CD game.
  const longer = forms.filter((form) => !/^T\d+$/.test(form));
  return [...forms, ...longer.flatMap((form) => suffixes.map((suffix) => form + suffix))];
}
