/** How the list lies in its width. All lengths in px. */
export interface GridShape {
  readonly columns: number;
  readonly tileWidth: number;
  /** Height of the box that covers stand in; 0 in the table. */
  readonly coverHeight: number;
  readonly rowHeight: number;
  /** Between tiles of a row. */
  readonly gap: number;
}

/**
 * The shape for a width and a text size (`rem`, px). `narrowest` is the least ratio of the covers, width over height,
 * where all are known: the box is no higher than they need. 0 where not.
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
  const least = width < 640 ? 8 * rem : 10 * rem;
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const tileWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const coverHeight = Math.round(tileWidth * Math.min(1.42, 1 / narrowest));
  // two lines of name, one of platform, the space between rows
  const rowHeight = coverHeight + Math.round(5.75 * rem + (width < 640 ? 0.75 : 1.25) * rem);
  return { columns, tileWidth, coverHeight, rowHeight, gap };
}
