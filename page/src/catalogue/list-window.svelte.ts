import { untrack } from 'svelte';
import { type GridShape, gridShape } from './grid-shape.ts';
import { ScaledRange } from './scaled-range.ts';

interface Listed {
  readonly view: 'covers' | 'table';
  /** Number of items. */
  readonly total: number;
  /** The smallest ratio of the covers if all are known, or else 0. */
  readonly narrowest: number;
}

/** Determines which part of a list is visible in the browser window, and controls its scrolling. */
export class ListWindow {
  /** Width of the list in px; 0 until known. */
  width = $state(0);
  /** Height of the browser window in px. */
  viewport = $state(innerHeight);
  /** Root font size in px. */
  rem = $state(16);
  readonly #listed: () => Listed;
  readonly #onrest: (first: number) => void;
  readonly shape: GridShape = $derived.by(() => {
    const { view, narrowest } = this.#listed();
    return gridShape(view, this.width, this.rem, narrowest);
  });
  readonly #rows = $derived.by(() => Math.ceil(this.#listed().total / this.shape.columns));
  readonly #range = new ScaledRange();
  /** Incremented whenever `#range` has moved, to trigger updates. */
  #moves = $state(0);
  #columns = 1;
  #frame: HTMLElement | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** `onrest` is called with the first visible release when scrolling has stopped. */
  constructor(listed: () => Listed, onrest: (first: number) => void) {
    this.#listed = listed;
    this.#onrest = onrest;
  }

  /** The rows to draw. The end is exclusive. */
  get seen(): { readonly first: number; readonly end: number } {
    void this.#moves;
    return this.#range.seen(1);
  }

  /** The first release that is not covered by the header. */
  get first(): number {
    void this.#moves;
    return this.#range.firstRow * this.shape.columns;
  }

  /** Number of rows that the page keys move by. */
  get page(): number {
    return Math.max(1, Math.floor((this.viewport - this.#covered()) / this.shape.rowHeight));
  }

  /** Returns the position of a release in the frame, in px. */
  placeOf(index: number): { readonly x: number; readonly y: number } {
    void this.#moves;
    const { columns, tileWidth, gap } = this.shape;
    const y = this.#range.topOf(Math.floor(index / columns));
    return { x: (index % columns) * (tileWidth + gap), y };
  }

  /** Attaches the element that is as high as all rows together. */
  readonly attach = (frame: HTMLElement): (() => void) => {
    this.#frame = frame;
    return () => {
      this.#frame = null;
      clearTimeout(this.#resting);
    };
  };

  /**
   * Applies new measures and keeps the first visible release in place. Call it whenever one of them
   * changes.
   */
  resize(): void {
    const { rowHeight, columns } = this.shape;
    const measures = { rows: this.#rows, rowHeight, viewport: this.viewport };
    untrack(() => {
      const range = this.#range;
      const first = range.firstRow * this.#columns;
      const wasAtStart = range.place === 0;
      range.resize({ ...measures, covered: this.#covered() });
      // Set immediately, because the code below may scroll.
      if (this.#frame) this.#frame.style.height = `${range.height}px`;
      if (columns !== this.#columns && !wasAtStart) range.goToRow(Math.floor(first / columns));
      this.#columns = columns;
      if (!wasAtStart) this.#moveThumb();
      this.#moves += 1;
    });
  }

  /** Scrolls to a release, unless its row is already the first visible one. */
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

  /** Scrolls as little as needed to make a release fully visible. */
  reveal(index: number): void {
    this.#range.reveal(Math.floor(index / this.shape.columns));
    this.#moveThumb();
    this.#moves += 1;
  }

  /** Call this when the browser has scrolled. */
  readonly scrolled = (): void => {
    if (this.#range.scrolled(scrollY - this.#start())) this.#moveThumb();
    this.#moves += 1;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), 150);
  };

  #rest(): void {
    const { top } = this.#range;
    this.#range.settle();
    if (Math.abs(this.#range.top - top) >= 1) this.#moveThumb();
    this.#moves += 1;
    this.#onrest(scrollY <= this.#start() - this.#covered() ? 0 : this.first);
  }

  #moveThumb(): void {
    const top = this.#start() + this.#range.top;
    if (Math.abs(top - scrollY) >= 1 && (this.#range.top > 0 || scrollY > top)) scrollTo({ top });
  }

  /** Returns where the frame starts in the document, in px. */
  #start(): number {
    return (this.#frame?.getBoundingClientRect().top ?? 0) + scrollY;
  }

  /** Returns the height that a sticky header covers, in px, or 0 if the header is not sticky. */
  #covered(): number {
    const header = document.querySelector('header');
    if (!header || getComputedStyle(header).position !== 'sticky') return 0;
    return header.offsetHeight + this.rem / 2;
  }
}
