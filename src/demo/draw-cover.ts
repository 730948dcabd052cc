import type { DemoRelease } from './demo-releases.ts';
import type { Canvas } from './drawing.ts';
import { hills, road, sea, town } from './landscapes.ts';
import { lineOf, linesOf } from './lettering.ts';
import { bars, dots, flower, orbits, rings, tiles } from './patterns.ts';

const motifs = [sea, rings, hills, tiles, orbits, town, dots, road, flower, bars];

/** Palettes of four colours each: background, drawing, accent, second colour. */
const palettes: readonly Canvas['colors'][] = [
  ['#f2e8d5', '#1f3a5f', '#e4572e', '#e9b44c'],
  ['#12263a', '#f1dca7', '#d1495b', '#6a8d92'],
  ['#e8edf0', '#14213d', '#f08a24', '#7fa8c9'],
  ['#0f4c4a', '#f4f1de', '#e9835e', '#86b8a0'],
  ['#f6d9c4', '#3b2a4f', '#d1495b', '#6b9080'],
  ['#23233b', '#ece6d8', '#ef6461', '#5c6b9c'],
  ['#e9e3cf', '#2f4a3a', '#d98324', '#8fa98c'],
  ['#5a2a3c', '#f6e4d0', '#f2a65a', '#b56b76'],
  ['#d9e4dd', '#27374d', '#c8553d', '#8aa6a3'],
  ['#2b4162', '#fbf5e6', '#f5b841', '#8fb8de'],
  ['#f4ece6', '#6b2d3c', '#2a9d8f', '#dba39a'],
  ['#31403a', '#f0ead6', '#e3b23c', '#8f9e8b'],
];

/**
 * Draws the cover of a release as SVG: its name in capitals above a motif. The same arguments
 * always give the same cover.
 */
export function drawCover({ lettering, platform }: DemoRelease, index: number): string {
  const { width, height } = platform.cover;
  const colors = palettes[(index * 5) % palettes.length] ?? fallback;
  const motif = motifs[(index * 3 + Math.floor(index / motifs.length)) % motifs.length];
  const [paper, ink] = colors;
  const title = titleOf(lettering, width, height, ink);
  const canvas: Canvas = {
    width,
    height,
    top: title.bottom,
    colors,
    random: randomFrom(index + 1),
  };
  const art = (motif?.(canvas) ?? '').replaceAll('PAPER', paper);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<rect width="100%" height="100%" fill="${paper}"/>${art}${title.drawing}</svg>`;
}

const fallback: Canvas['colors'] = ['#fff', '#000', '#888', '#ccc'];

/**
 * Draws the title's lines at the upper left. All lines have the same size, which depends on the
 * longest line.
 */
function titleOf(text: string, width: number, height: number, color: string) {
  const margin = width * 0.085;
  const lines = linesOf(text, width > height ? 16 : 11).map(lineOf);
  const longest = Math.max(...lines.map((line) => line.width));
  const fitting = (width - 2 * margin) / longest;
  const size = Math.min(fitting, (height * 0.26) / (lines.length * 8.6), width / 62);
  const drawn = lines.map(({ path }, at) => {
    const y = margin + at * 8.8 * size;
    return `<path d="${path}" transform="translate(${margin.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(3)})"/>`;
  });
  return {
    drawing: `<g fill="none" stroke="${color}" stroke-width="0.95" stroke-linejoin="round" stroke-linecap="square">${drawn.join('')}</g>`,
    bottom: margin * 1.9 + (lines.length * 8.8 - 2.8) * size,
  };
}

/** Returns a generator of pseudo-random numbers between 0 and 1 (Park-Miller algorithm). */
function randomFrom(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
