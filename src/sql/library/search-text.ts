import { fold, joinSearchTexts, serialSearchText } from '../../core/shared/search-text.ts';

/**
 * Returns the search text of a file: its name, the name that it should have, and its serial, each
 * normalised for search.
 */
export function librarySearchText(
  { name, serial }: { name: string; serial: string | null },
  canonical: string | null,
): string {
  const shouldBe = canonical === null || canonical === name ? '' : fold(canonical);
  return joinSearchTexts([fold(name), shouldBe, serialSearchText(serial ?? '')]);
}
