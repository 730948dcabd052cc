import { untrack } from 'svelte';
import { type GridShape, gridShape } from './grid-shape.ts';
import { ScaledRange } from './scaled-range.ts';

interface ListDimensions {
  readonly view: 'covers' | 'table';
  /** Number of items. */
  readonly total: number;
  /**
   * The smallest width-to-height ratio of the covers. The value is 0 while any ratio is unknown, or
   * if the list is long.
   */
  readonly narrowest: number;
}

/** Calculates which part of a list is visible in the browser window. Also scrolls the list. */
export class ListWindow {
  /** Width of the list in px; 0 until the list has been measured. */
  width = $state(0);
  /** Height of the browser window in px. */
  viewport = $state(innerHeight);
  /** Root font size in px. */
  rem = $state(16);
  readonly #listed: () => ListDimensions;
  readonly #onrest: (first: number) => void;
  readonly shape: GridShape = $derived.by(() => {
    const { view, narrowest } = this.#listed();
    return gridShape(view, this.width, this.rem, narrowest);
  });
  readonly #rows = $derived.by(() => Math.ceil(this.#listed().total / this.shape.columns));
  readonly #range = new ScaledRange();
  /**
   * Incremented after every change of `#range`. `#range` is not reactive, so getters read this
   * counter to be recomputed after a change.
   */
  #moves = $state(0);
  #columns = 1;
  #frame: HTMLElement | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /**
   * `onrest` is called when scrolling has stopped. Its argument is the index of the first visible
   * release.
   */
  constructor(listed: () => ListDimensions, onrest: (first: number) => void) {
    this.#listed = listed;
    this.#onrest = onrest;
  }

  /** The range of rows to draw. `end` is the index after the last row. */
  get seen(): { readonly first: number; readonly end: number } {
    void this.#moves;
    return this.#range.seen(1);
  }

  /** Index of the first release that the page's header does not cover. */
  get first(): number {
    void this.#moves;
    return this.#range.firstRow * this.shape.columns;
  }

  /** Number of rows by which Page Up and Page Down move the focus. */
  get page(): number {
    return Math.max(1, Math.floor((this.viewport - this.#covered()) / this.shape.rowHeight));
  }

  /** Returns the offset of the release at an index in the list's frame, in px. */
  placeOf(index: number): { readonly x: number; readonly y: number } {
    void this.#moves;
    const { columns, tileWidth, gap } = this.shape;
    const y = this.#range.topOf(Math.floor(index / columns));
    return { x: (index % columns) * (tileWidth + gap), y };
  }

  /**
   * A Svelte attachment for the list's frame. The frame is the element that is as high as all rows
   * together.
   */
  readonly attach = (frame: HTMLElement): (() => void) => {
    this.#frame = frame;
    return () => {
      this.#frame = null;
      clearTimeout(this.#resting);
    };
  };

  /**
   * Adapts to a new width, text size, window height or number of items. The first visible release
   * stays visible. Call `resize` after each such change.
   */
  resize(): void {
    const { rowHeight, columns } = this.shape;
    const measures = { rows: this.#rows, rowHeight, viewport: this.viewport };
    untrack(() => {
      const range = this.#range;
      const first = range.firstRow * this.#columns;
      const wasAtStart = range.place === 0;
      range.resize({ ...measures, covered: this.#covered() });
      // Set the height immediately, because the code below may scroll, and the browser limits
      // scrolling to the current height.
      if (this.#frame) this.#frame.style.height = `${range.height}px`;
      if (columns !== this.#columns && !wasAtStart) range.goToRow(Math.floor(first / columns));
      this.#columns = columns;
      if (!wasAtStart) this.#moveThumb();
      this.#moves += 1;
    });
  }

  /**
   * Scrolls so that the row of the release at an index is the first visible row. For index 0,
   * scrolls to the top of the page.
   */
  goTo(index: number): void {
    const row = Math.floor(index / this.shape.columns);
    this.#range.scrolled(scrollY - this.#start());
    if (index === 0) {
      this.#range.goToRow(0);
      scrollTo({ top: 0 });
    } else if (this.#range.firstRow !== row) {
      this.#range.goToRow(row);
      this.#moveThumb();
    }
    this.#moves += 1;
  }

  /** Scrolls as little as needed to make the release at an index fully visible. */
  reveal(index: number): void {
    this.#range.reveal(Math.floor(index / this.shape.columns));
    this.#moveThumb();
    this.#moves += 1;
  }

  /**
   * Adapts the visible rows to the browser's scroll position. Call `scrolled` when the browser has
   * scrolled.
   */
  readonly scrolled = (): void => {
    if (this.#range.scrolled(scrollY - this.#start())) this.#moveThumb();
    this.#moves += 1;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), 150);
  };

  #rest(): void {
    const { top } = this.#range;
    this.#range.alignThumb();
    if (Math.abs(this.#range.top - top) >= 1) this.#moveThumb();
    this.#moves += 1;
    this.#onrest(scrollY <= this.#start() - this.#covered() ? 0 : this.first);
  }

  #moveThumb(): void {
    const top = this.#start() + this.#range.top;
    if (Math.abs(top - scrollY) >= 1 && (this.#range.top > 0 || scrollY > top)) scrollTo({ top });
  }

  /** Returns the distance from the top of the document to the top of the frame, in px. */
  #start(): number {
    return (this.#frame?.getBoundingClientRect().top ?? 0) + scrollY;
  }

  /**
   * Returns the height that a sticky header covers, in px. Returns 0 if the header is not sticky.
   */
  #covered(): number {
    const header = document.querySelector('header');
    if (!header || getComputedStyle(header).position !== 'sticky') return 0;
    return header.offsetHeight + this.rem / 2;
  }
}
