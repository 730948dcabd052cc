/**
 * The widths of thumbnails, in pixels, smallest first. The page has the same list in
 * `page/src/api/thumbnail-sizes.ts`.
 */
export const thumbnailWidths = [160, 320, 640] as const;
export type ThumbnailWidth = (typeof thumbnailWidths)[number];

/** The largest width of a thumbnail, in pixels. */
export const maxThumbnailWidth = Math.max(...thumbnailWidths) as ThumbnailWidth;

/** Returns the smallest of these widths that is at least `pixels`, or the largest of them. */
export function thumbnailWidthFor(pixels: number): ThumbnailWidth {
  return thumbnailWidths.find((width) => width >= pixels) ?? maxThumbnailWidth;
}
