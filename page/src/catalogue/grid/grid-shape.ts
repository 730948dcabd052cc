/** The layout of the list for a given width. All lengths are in px. */
export interface GridShape {
  readonly columns: number;
  readonly tileWidth: number;
  /** Height of the box that contains a cover. The height is 0 in the table, which has no covers. */
  readonly coverHeight: number;
  readonly rowHeight: number;
  /** Space between tiles in a row. */
  readonly gap: number;
}

/**
 * Returns the layout for a list of this width and root font size (`rem`), both in px. `narrowest`
 * is the smallest width-to-height ratio of the covers, or 0 if unknown. A known ratio makes the
 * cover boxes no higher than the covers need.
 */
export function gridShape(
  view: 'covers' | 'table',
  width: number,
  rem: number,
  narrowest = 0,
): GridShape {
  if (view === 'table') {
    const rowHeight = Math.round((width < 640 ? 3.5 : 2.5) * rem);
    return { columns: 1, tileWidth: width, coverHeight: 0, rowHeight, gap: 0 };
  }
  const gap = width < 640 ? rem : 1.5 * rem;
  const minTileWidth = width < 640 ? 8 * rem : 10 * rem;
  const columns = Math.max(1, Math.floor((width + gap) / (minTileWidth + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const coverHeight = Math.round(tileWidth * Math.min(1.42, 1 / narrowest));
  // A row contains the cover, two lines for the name, one line for the platform, and the space
  // between rows.
  const rowHeight = coverHeight + Math.round(5.75 * rem + (width < 640 ? 0.75 : 1.25) * rem);
  return { columns, tileWidth, coverHeight, rowHeight, gap };
}
