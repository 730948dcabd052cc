/**
 * Maximum height of the scroll range, in px. Browsers limit the height of an element: Firefox to
 * about 18 million px, Chromium to about 33 million px.
 */
const maxHeight = 8_000_000;

interface Shape {
  readonly rows: number;
  /** Height of one row, in px. */
  readonly rowHeight: number;
  /** Height of the viewport that shows the rows, in px. */
  readonly viewport: number;
  /** Height of the part at the top of the viewport that a header covers, in px. */
  readonly covered?: number;
}

/**
 * Maps any number of rows of equal height to a scroll range of at most 8,000,000 px. `top` is the
 * scroll position. `top + shift` is the distance from the top of the first row to the top of the
 * viewport, in px. A small step (wheel, keys, touch) of n px moves the rows by exactly n px, at any
 * scale. A jump (dragging the scrollbar's thumb) moves the rows to the same relative position.
 * Small steps move the thumb away from its proper position, so call `alignThumb` when scrolling has
 * stopped.
 */
export class ScaledRange {
  #shape: Shape = { rows: 0, rowHeight: 1, viewport: 1 };
  #top = 0;
  #shift = 0;

  /** Height of the scroll range, in px. */
  get height(): number {
    return Math.min(this.#whole, maxHeight);
  }

  /**
   * Scroll position within the scroll range, in px. The thumb of the scrollbar is at this position.
   */
  get top(): number {
    return this.#top;
  }

  /** Distance from the top of the first row to the top of the viewport, in px. */
  get place(): number {
    return this.#top + this.#shift;
  }

  /** Index of the first visible row that the header does not cover. */
  get firstRow(): number {
    // Browsers round scroll positions. So a row is not treated as covered if the header covers only
    // one pixel of the row.
    return Math.floor((this.place + this.#covered + 1) / this.#shape.rowHeight);
  }

  /** Applies new measures. The first visible row stays the first visible row. */
  resize(shape: Shape): void {
    const share = (this.place + this.#covered) / this.#shape.rowHeight;
    const isAtStart = this.place === 0;
    this.#shape = shape;
    this.#goTo(isAtStart ? 0 : share * shape.rowHeight - this.#covered);
  }

  /**
   * Records that the user scrolled to `top`. Returns true if the caller must then scroll the
   * browser to `this.top`. This is needed if the scroll position has reached an end of its range,
   * but the rows have not reached theirs.
   */
  scrolled(top: number): boolean {
    const to = clamp(top, this.#lastTop);
    const step = to - this.#top;
    this.#top = to;
    if (Math.abs(step) > 2 * this.#shape.viewport) this.#shift = this.#placeFor(to) - to;
    else this.#shift = clamp(to + this.#shift, this.#lastPlace) - to;
    const isAtEnd =
      (to === 0 && this.#shift > 0) || (to === this.#lastTop && this.place < this.#lastPlace);
    if (isAtEnd) this.alignThumb();
    return isAtEnd;
  }

  /**
   * Sets `top` to the scroll position that matches the visible rows. The rows do not move. The
   * caller must then scroll the browser to `top`.
   */
  alignThumb(): void {
    this.#goTo(this.place);
  }

  /** Makes a row the first visible row. The caller must then scroll the browser to `top`. */
  goToRow(row: number): void {
    this.#goTo(row * this.#shape.rowHeight - this.#covered);
  }

  /**
   * Moves as little as needed to make a row fully visible. The caller must then scroll the browser
   * to `top`.
   */
  reveal(row: number): void {
    const { rowHeight, viewport } = this.#shape;
    const start = row * rowHeight;
    if (start < this.place + this.#covered) this.goToRow(row);
    else if (start + rowHeight > this.place + viewport) this.#goTo(start + rowHeight - viewport);
  }

  /** Returns the offset of a row within the scroll range, in px. */
  topOf(row: number): number {
    return row * this.#shape.rowHeight - this.#shift;
  }

  /**
   * Returns the rows to draw: the visible rows, and `spare` rows above and below. `end` is the
   * index after the last row.
   */
  seen(spare: number): { first: number; end: number } {
    const { rows, rowHeight, viewport } = this.#shape;
    const first = Math.max(0, Math.floor(this.place / rowHeight) - spare);
    const end = Math.min(rows, Math.ceil((this.place + viewport) / rowHeight) + spare);
    return { first: Math.min(first, end), end };
  }

  get #covered(): number {
    return this.#shape.covered ?? 0;
  }
  get #whole(): number {
    return this.#shape.rows * this.#shape.rowHeight;
  }
  get #lastTop(): number {
    return Math.max(0, this.height - this.#shape.viewport);
  }
  get #lastPlace(): number {
    return Math.max(0, this.#whole - this.#shape.viewport);
  }

  #goTo(wanted: number): void {
    const place = clamp(wanted, this.#lastPlace);
    this.#top = this.#whole <= maxHeight ? place : (place / this.#lastPlace) * this.#lastTop;
    this.#shift = place - this.#top;
  }

  #placeFor(top: number): number {
    return this.#lastTop === 0 ? 0 : (top / this.#lastTop) * this.#lastPlace;
  }
}

const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);
