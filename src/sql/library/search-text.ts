import { fold, joinSearchTexts, serialSearchText } from '../../core/shared/search-text.ts';

/**
 * Returns the text that a library search compares. The text consists of the file's name, the
 * canonical name if it differs, and the serial, each normalised.
 */
export function librarySearchText(
  { name, serial }: { name: string; serial: string | null },
  canonical: string | null,
): string {
  const shouldBe = canonical === null || canonical === name ? '' : fold(canonical);
  return joinSearchTexts([fold(name), shouldBe, serialSearchText(serial ?? '')]);
}
