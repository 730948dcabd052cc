/**
 * Maximum height of the scroll range, in px. Browsers limit the height of an element, to about 18
 * million px in Firefox and 33 million in Chromium.
 */
const longest = 8_000_000;

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
 * scroll position; `top + shift` is the position among the rows, in px. Small steps (wheel, keys,
 * touch) move the rows by exactly as many px, whatever the scale. A jump (dragging the thumb of the
 * scrollbar) moves to the same relative position among the rows. Small steps shift the thumb from
 * its proper position, so call `settle` when scrolling has stopped.
 */
export class ScaledRange {
  #shape: Shape = { rows: 0, rowHeight: 1, viewport: 1 };
  #top = 0;
  #shift = 0;

  /** Height of the scroll range, in px. */
  get height(): number {
    return Math.min(this.#whole, longest);
  }

  /**
   * Scroll position within the scroll range, in px, which is where the thumb of the scrollbar is.
   */
  get top(): number {
    return this.#top;
  }

  /** Position of the viewport's upper edge among the rows, in px. */
  get place(): number {
    return this.#top + this.#shift;
  }

  /** The first visible row that the header does not cover. */
  get firstRow(): number {
    // Browsers round scroll positions, so a row of which the header covers only one pixel is not
    // treated as covered.
    return Math.floor((this.place + this.#covered + 1) / this.#shape.rowHeight);
  }

  /** Applies new measures. The first visible row stays the first. */
  resize(shape: Shape): void {
    const share = (this.place + this.#covered) / this.#shape.rowHeight;
    const isAtStart = this.place === 0;
    this.#shape = shape;
    this.#goTo(isAtStart ? 0 : share * shape.rowHeight - this.#covered);
  }

  /**
   * Records that the user scrolled to this position. Returns true if the caller must then scroll
   * the browser to `top`. This happens when the scroll range ended before the rows did, or the
   * reverse.
   */
  scrolled(top: number): boolean {
    const to = clamp(top, this.#lastTop);
    const step = to - this.#top;
    this.#top = to;
    if (Math.abs(step) > 2 * this.#shape.viewport) this.#shift = this.#placeFor(to) - to;
    else this.#shift = clamp(to + this.#shift, this.#lastPlace) - to;
    const isAtEnd =
      (to === 0 && this.#shift > 0) || (to === this.#lastTop && this.place < this.#lastPlace);
    if (isAtEnd) this.settle();
    return isAtEnd;
  }

  /**
   * Sets `top` to the position that matches the visible rows, which do not move. The caller must
   * then scroll the browser to `top`.
   */
  settle(): void {
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

  /** Returns the position of a row within the scroll range, in px. */
  topOf(row: number): number {
    return row * this.#shape.rowHeight - this.#shift;
  }

  /**
   * Returns the rows to draw: the visible rows, and `spare` rows above and below. `end` is
   * exclusive.
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
    this.#top = this.#whole <= longest ? place : (place / this.#lastPlace) * this.#lastTop;
    this.#shift = place - this.#top;
  }

  #placeFor(top: number): number {
    return this.#lastTop === 0 ? 0 : (top / this.#lastTop) * this.#lastPlace;
  }
}

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
