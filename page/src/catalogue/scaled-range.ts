/** Browsers cap the height of an element: about 18 million px in Firefox, 33 million in Chromium. */
const longest = 8_000_000;

interface Shape {
  readonly rows: number;
  /** px */
  readonly rowHeight: number;
  /** Height of the window that rows are seen through, px. */
  readonly viewport: number;
  /** Of it, what something else covers at the upper edge, px. */
  readonly covered?: number;
}

/**
 * Any number of rows of equal height on a scroll range of at most 8,000,000 px. A place in the rows is `top + shift`:
 * small steps (wheel, keys, a finger) move the rows by just as many px, whatever the scale; a leap (the scroll bar's
 * thumb) goes to the same share of the rows. Once scrolling rests, `settle` puts the thumb where it belongs.
 */
export class ScaledRange {
  #shape: Shape = { rows: 0, rowHeight: 1, viewport: 1 };
  #top = 0;
  #shift = 0;

  /** Height of the scroll range, px. */
  get height(): number {
    return Math.min(this.#whole, longest);
  }

  /** Scroll position within the range, px. */
  get top(): number {
    return this.#top;
  }

  /** Place of the window's upper edge in the rows, px. */
  get place(): number {
    return this.#top + this.#shift;
  }

  /** The uppermost row that is not covered. */
  get firstRow(): number {
    // browsers round what they scroll to: a row that is covered by no more than a pixel is not
    return Math.floor((this.place + this.#covered + 1) / this.#shape.rowHeight);
  }

  /** Takes new measures; the first row stays the first. */
  resize(shape: Shape): void {
    const share = (this.place + this.#covered) / this.#shape.rowHeight;
    const isAtStart = this.place === 0;
    this.#shape = shape;
    this.#goTo(isAtStart ? 0 : share * shape.rowHeight - this.#covered);
  }

  /** The user scrolled to this position of the range. True when the thumb is to be moved: to `top`. */
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

  /** Moves the thumb to where it belongs for the place; the place stays. Read `top` afterwards. */
  settle(): void {
    this.#goTo(this.place);
  }

  /** Goes to a row. Read `top` afterwards. */
  goToRow(row: number): void {
    this.#goTo(row * this.#shape.rowHeight - this.#covered);
  }

  /** Scrolls as little as needed for a row to be seen whole. Read `top` afterwards. */
  reveal(row: number): void {
    const { rowHeight, viewport } = this.#shape;
    const start = row * rowHeight;
    if (start < this.place + this.#covered) this.goToRow(row);
    else if (start + rowHeight > this.place + viewport) this.#goTo(start + rowHeight - viewport);
  }

  /** Where a row lies within the range, px. */
  topOf(row: number): number {
    return row * this.#shape.rowHeight - this.#shift;
  }

  /** The rows to draw: those seen and `spare` around them; the end is exclusive. */
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
