/**
 * The widths in which the server delivers covers, in px, smallest first. The list equals
 * `thumbnailWidths` of the server, which the page cannot import.
 */
export const thumbnailWidths = [160, 320, 640] as const;
type ThumbnailWidth = (typeof thumbnailWidths)[number];

export const smallestCoverWidth = thumbnailWidths[0];

/** Returns the smallest of these widths that is at least `pixels`, or the largest of them. */
export function coverWidthFor(pixels: number): ThumbnailWidth {
  const largest = Math.max(...thumbnailWidths) as ThumbnailWidth;
  return thumbnailWidths.find((width) => width >= pixels) ?? largest;
}
