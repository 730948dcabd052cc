/** The canvas and colours available to a motif. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Lower edge of the lettering; a motif must not touch it. */
  readonly top: number;
  /** Background, drawing, accent, secondary. */
  readonly colors: readonly [paper: string, ink: string, accent: string, second: string];
  /** Returns pseudo-random numbers from 0 to 1, the same on every start. */
  readonly random: () => number;
}

/** Draws a motif as SVG. `PAPER` stands for the background colour. */
export type Motif = (canvas: Canvas) => string;

export const range = (count: number) => Array.from({ length: count }, (_, at) => at);
export const n = (value: number) => value.toFixed(1);
export const circle = (x: number, y: number, r: number, paint: string) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${paint}/>`;
export const fill = (color: string) => `fill="${color}"`;
export const line = (color: string, width: number) =>
  `fill="none" stroke="${color}" stroke-width="${n(width)}"`;

/** Returns the centre of the area below the lettering, and the radius that a motif may use. */
export const middleOf = (w: number, h: number, top: number) => ({
  x: w / 2,
  y: (top + h * 0.96) / 2,
  r: Math.min(w * 0.41, (h * 0.96 - top) * 0.47),
});
