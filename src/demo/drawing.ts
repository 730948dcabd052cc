/** The drawing area, colours and random numbers that a motif uses to draw on a cover. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /**
   * Y coordinate of the lower edge of the title area, in pixels. A motif must draw below this edge.
   */
  readonly top: number;
  /** Colours of the background, the drawing, the accent, and a second colour. */
  readonly colors: readonly [paper: string, ink: string, accent: string, second: string];
  /** Returns pseudo-random numbers between 0 and 1, in the same sequence on every start. */
  readonly random: () => number;
}

/**
 * Draws a motif as SVG. The text `PAPER` in the result is later replaced by the background colour.
 */
export type Motif = (canvas: Canvas) => string;

export const range = (count: number) => Array.from({ length: count }, (_, at) => at);
export const n = (value: number) => value.toFixed(1);
export const circle = (x: number, y: number, r: number, paint: string) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${paint}/>`;
export const fill = (color: string) => `fill="${color}"`;
export const line = (color: string, width: number) =>
  `fill="none" stroke="${color}" stroke-width="${n(width)}"`;

/**
 * Returns the centre of the area below the title, and the radius of the largest circle that a motif
 * may draw.
 */
export const middleOf = (w: number, h: number, top: number) => ({
  x: w / 2,
  y: (top + h * 0.96) / 2,
  r: Math.min(w * 0.41, (h * 0.96 - top) * 0.47),
});
