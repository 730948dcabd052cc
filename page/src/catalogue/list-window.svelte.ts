import { untrack } from 'svelte';
import { type GridShape, gridShape } from './grid-shape.ts';
import { ScaledRange } from './scaled-range.ts';

interface Listed {
  readonly view: 'covers' | 'table';
  /** How many there are. */
  readonly total: number;
  /** The least ratio of the covers where all are known, else 0. */
  readonly narrowest: number;
}

/** Which part of a list the browser's window shows, and how it is scrolled. */
export class ListWindow {
  /** Of the list, px; 0 until it is known. */
  width = $state(0);
  /** Height of the browser's window, px. */
  viewport = $state(innerHeight);
  /** Size of the text, px. */
  rem = $state(16);
  readonly #listed: () => Listed;
  readonly #onrest: (first: number) => void;
  readonly shape: GridShape = $derived.by(() => {
    const { view, narrowest } = this.#listed();
    return gridShape(view, this.width, this.rem, narrowest);
  });
  readonly #rows = $derived.by(() => Math.ceil(this.#listed().total / this.shape.columns));
  readonly #range = new ScaledRange();
  /** Grows when `#range` moved. */
  #moves = $state(0);
  #columns = 1;
  #frame: HTMLElement | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** `onrest` hears, once scrolling came to rest, which release is seen first. */
  constructor(listed: () => Listed, onrest: (first: number) => void) {
    this.#listed = listed;
    this.#onrest = onrest;
  }

  /** The rows to draw; the end is exclusive. */
  get seen(): { readonly first: number; readonly end: number } {
    void this.#moves;
    return this.#range.seen(1);
  }

  /** The first release that is not covered. */
  get first(): number {
    void this.#moves;
    return this.#range.firstRow * this.shape.columns;
  }

  /** Rows that a page key moves by. */
  get page(): number {
    return Math.max(1, Math.floor((this.viewport - this.#covered()) / this.shape.rowHeight));
  }

  /** Where a release lies in the frame, px. */
  placeOf(index: number): { readonly x: number; readonly y: number } {
    void this.#moves;
    const { columns, tileWidth, gap } = this.shape;
    const y = this.#range.topOf(Math.floor(index / columns));
    return { x: (index % columns) * (tileWidth + gap), y };
  }

  /** Takes the element that is as high as all rows. */
  readonly attach = (frame: HTMLElement): (() => void) => {
    this.#frame = frame;
    return () => {
      this.#frame = null;
      clearTimeout(this.#resting);
    };
  };

  /** Takes new measures; what was seen first stays so. To be run again whenever one of them changes. */
  resize(): void {
    const { rowHeight, columns } = this.shape;
    const measures = { rows: this.#rows, rowHeight, viewport: this.viewport };
    untrack(() => {
      const range = this.#range;
      const first = range.firstRow * this.#columns;
      const wasAtStart = range.place === 0;
      range.resize({ ...measures, covered: this.#covered() });
      // at once: what follows may scroll
      if (this.#frame) this.#frame.style.height = `${range.height}px`;
      if (columns !== this.#columns && !wasAtStart) range.goToRow(Math.floor(first / columns));
      this.#columns = columns;
      if (!wasAtStart) this.#moveThumb();
      this.#moves += 1;
    });
  }

  /** Scrolls to a release; not at all when its row is the first one seen. */
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

  /** Scrolls as little as needed for a release to be seen whole. */
  reveal(index: number): void {
    this.#range.reveal(Math.floor(index / this.shape.columns));
    this.#moveThumb();
    this.#moves += 1;
  }

  /** To be told when the browser scrolled. */
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

  /** Where the frame starts in the document, px. */
  #start(): number {
    return (this.#frame?.getBoundingClientRect().top ?? 0) + scrollY;
  }

  /** Height of the header where it stays, px. */
  #covered(): number {
    const header = document.querySelector('header');
    if (!header || getComputedStyle(header).position !== 'sticky') return 0;
    return header.offsetHeight + this.rem / 2;
  }
}
