/**
 * A letter: its width, and its strokes as an SVG path. The path's y values go from 0 at the top to
 * 6 at the baseline.
 */
type Letter = readonly [width: number, path: string];

/**
 * Geometric capital letters. The demo draws letters without fonts, so that covers look the same on
 * machines that have none.
 */
// biome-ignore format: one letter a line
const letters: Readonly<Record<string, Letter>> = {
  A: [4.8, 'M0 6L2.4 0L4.8 6M.85 4H3.95'],
  B: [3.6, 'M0 2.8H1.9A1.4 1.4 0 0 0 1.9 0H0V6H2A1.6 1.6 0 0 0 2 2.8'],
  C: [5.2, 'M5.2 .95A3 3 0 1 0 5.2 5.05'],
  D: [4.6, 'M0 0V6H1.6A3 3 0 0 0 1.6 0Z'],
  E: [3.1, 'M3.1 0H0V6H3.1M0 3H2.7'],
  F: [2.9, 'M2.9 0H0V6M0 3H2.5'],
  G: [6, 'M5.2 .95A3 3 0 1 0 6 3H3.6'],
  H: [4.2, 'M0 0V6M4.2 0V6M0 3H4.2'],
  I: [0, 'M0 0V6'],
  J: [2.2, 'M2.2 0V4.4A1.5 1.5 0 0 1 0 5.6'],
  K: [3.8, 'M0 0V6M3.7 0L0 3.6M1.3 2.4L3.8 6'],
  L: [2.9, 'M0 0V6H2.9'],
  M: [5.4, 'M0 6V0L2.7 4.2L5.4 0V6'],
  N: [4.4, 'M0 6V0L4.4 6V0'],
  O: [6, 'M3 0A3 3 0 1 1 3 6A3 3 0 1 1 3 0Z'],
  P: [3.5, 'M0 6V0H1.8A1.7 1.7 0 0 1 1.8 3.4H0'],
  Q: [6, 'M3 0A3 3 0 1 1 3 6A3 3 0 1 1 3 0ZM3.8 4L6 6.4'],
  R: [3.7, 'M0 6V0H1.8A1.7 1.7 0 0 1 1.8 3.4H0M1.7 3.4L3.7 6'],
  S: [3.6, 'M3.4 1A1.7 1.5 0 1 0 1.8 3A1.7 1.5 0 1 1 .1 4.9'],
  T: [4.2, 'M0 0H4.2M2.1 0V6'],
  U: [4.2, 'M0 0V3.9A2.1 2.1 0 0 0 4.2 3.9V0'],
  V: [4.6, 'M0 0L2.3 6L4.6 0'],
  W: [7, 'M0 0L1.75 6L3.5 .6L5.25 6L7 0'],
  X: [4.2, 'M0 0L4.2 6M4.2 0L0 6'],
  Y: [4.4, 'M0 0L2.2 3L4.4 0M2.2 3V6'],
  Z: [3.9, 'M0 0H3.9L0 6H3.9'],
  '2': [3.6, 'M.1 1.5A1.7 1.6 0 1 1 3.2 2.6L0 6H3.6'],
  '&': [4.8, 'M4.8 3.5A2.9 2.7 0 0 1 2 6A1.65 1.65 0 0 1 1.3 2.9A1.45 1.45 0 1 1 3.1 2.3L1.3 3M1.1 2.1L4.8 6'],
};
const gap = 1.5;
const blank = 2.6;

export interface Line {
  readonly path: string;
  /** Width in the units of the letters, which are 6 units high. */
  readonly width: number;
}

/** Returns a line of text as one SVG path that starts at 0, 0. */
export function lineOf(text: string): Line {
  let at = 0;
  const parts: string[] = [];
  for (const character of text) {
    const letter = letters[character];
    if (letter === undefined) at += blank;
    else {
      parts.push(moved(letter[1], at));
      at += letter[0] + gap;
    }
  }
  return { path: parts.join(''), width: Math.max(0, at - gap) };
}

/**
 * Divides a text at its spaces into lines of at most `maxLength` characters. A longer word gets its
 * own line.
 */
export function linesOf(text: string, maxLength: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= maxLength) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/**
 * Returns the path moved to the right by `by`. Supports only the absolute commands M, L, H, V, A
 * and Z, which the letters use.
 */
function moved(path: string, by: number): string {
  return path.replace(/([MLHVAZ])([^MLHVAZ]*)/g, (_, command: string, text: string) => {
    const numbers = text.trim().split(/\s+/).map(Number);
    if (command === 'Z') return 'Z';
    if (command === 'V') return `V${text}`;
    const x = command === 'A' ? 5 : 0;
    return `${command}${numbers.map((n, at) => (at === x ? round(n + by) : n)).join(' ')}`;
  });
}

const round = (value: number) => Math.round(value * 100) / 100;
