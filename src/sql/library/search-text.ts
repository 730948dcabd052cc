import { fold, joinSearchTexts, serialSearchText } from '../../core/shared/search-text.ts';

/**
 * Returns the text by which a library search finds a file. It consists of the file's name, the name
 * that it should have, and its serial, each normalised.
 */
export function librarySearchText(
  { name, serial }: { name: string; serial: string | null },
  canonical: string | null,
): string {
  const shouldBe = canonical === null || canonical === name ? '' : fold(canonical);
  return joinSearchTexts([fold(name), shouldBe, serialSearchText(serial ?? '')]);
}
