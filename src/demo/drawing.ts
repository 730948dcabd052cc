/** What a motif may use. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Where the lettering ends; above nothing is drawn that would touch it. */
  readonly top: number;
  /** Background, drawing, accent, second. */
  readonly colors: readonly [paper: string, ink: string, accent: string, second: string];
  /** From 0 to 1, the same at every start. */
  readonly random: () => number;
}

/** Drawn as SVG; what is to be of the background's colour says so with `PAPER`. */
export type Motif = (canvas: Canvas) => string;

export const range = (count: number) => Array.from({ length: count }, (_, at) => at);
export const n = (value: number) => value.toFixed(1);
export const circle = (x: number, y: number, r: number, paint: string) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${paint}/>`;
export const fill = (color: string) => `fill="${color}"`;
export const line = (color: string, width: number) =>
  `fill="none" stroke="${color}" stroke-width="${n(width)}"`;

/** Of what lies below the lettering, and how far it may reach around it. */
export const middleOf = (w: number, h: number, top: number) => ({
  x: w / 2,
  y: (top + h * 0.96) / 2,
  r: Math.min(w * 0.41, (h * 0.96 - top) * 0.47),
});
