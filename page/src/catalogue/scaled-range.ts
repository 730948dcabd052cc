/**
 * Maximum height of the scroll range, in px. Browsers cap the height of an element: about 18
 * million px in Firefox, 33 million in Chromium.
 */
const longest = 8_000_000;

interface Shape {
  readonly rows: number;
  /** In px. */
  readonly rowHeight: number;
  /** Height of the window that shows the rows, in px. */
  readonly viewport: number;
  /** Height of the upper part of the viewport that something else covers, in px. */
  readonly covered?: number;
}

/**
 * Maps any number of rows of equal height to a scroll range of at most 8,000,000 px. A position in
 * the rows is `top + shift`. Small steps (wheel, keys, touch) move the rows by exactly as many px,
 * whatever the scale. Jumps (dragging the scrollbar's thumb) go to the same share of the rows. When
 * scrolling has stopped, `settle` moves the thumb to its proper position.
 */
export class ScaledRange {
  #shape: Shape = { rows: 0, rowHeight: 1, viewport: 1 };
  #top = 0;
  #shift = 0;

  /** Height of the scroll range, in px. */
  get height(): number {
    return Math.min(this.#whole, longest);
  }

  /** Scroll position within the range, in px. */
  get top(): number {
    return this.#top;
  }

  /** Position of the window's upper edge in the rows, in px. */
  get place(): number {
    return this.#top + this.#shift;
  }

  /** The first row that is not covered. */
  get firstRow(): number {
    // Browsers round scroll positions, so a row covered by at most one pixel counts as not covered.
    return Math.floor((this.place + this.#covered + 1) / this.#shape.rowHeight);
  }

  /** Applies new measures and keeps the first row first. */
  resize(shape: Shape): void {
    const share = (this.place + this.#covered) / this.#shape.rowHeight;
    const isAtStart = this.place === 0;
    this.#shape = shape;
    this.#goTo(isAtStart ? 0 : share * shape.rowHeight - this.#covered);
  }

  /**
   * Records that the user scrolled to this position. Returns true if the thumb must then be moved
   * to `top`.
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

  /** Moves the thumb to the proper position without moving the rows. Read `top` afterwards. */
  settle(): void {
    this.#goTo(this.place);
  }

  /** Scrolls to a row. Read `top` afterwards. */
  goToRow(row: number): void {
    this.#goTo(row * this.#shape.rowHeight - this.#covered);
  }

  /** Scrolls as little as needed to make a row fully visible. Read `top` afterwards. */
  reveal(row: number): void {
    const { rowHeight, viewport } = this.#shape;
    const start = row * rowHeight;
    if (start < this.place + this.#covered) this.goToRow(row);
    else if (start + rowHeight > this.place + viewport) this.#goTo(start + rowHeight - viewport);
  }

  /** Returns the position of a row within the range, in px. */
  topOf(row: number): number {
    return row * this.#shape.rowHeight - this.#shift;
  }

  /**
   * Returns the rows to draw: the visible ones and `spare` rows on each side. The end is exclusive.
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
