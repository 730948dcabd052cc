import type { Row } from './row.ts';

const [width, height, left, right, top, bottom] = [640, 320, 64, 110, 28, 44];
const colours = ['#0b6bcb', '#b3541e', '#2f7d32'];

/**
 * Returns an SVG of the response times (95th percentiles) by catalogue size, with logarithmic axes.
 */
export function growthPicture(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ name }) => name.startsWith('growth-'))
    .map(({ name, detail = {} }) => ({
      name: name.slice('growth-'.length),
      points: Object.entries(detail).map(([size, ms]) => [Number(size), ms] as const),
    }));
  const sizes = lines[0]?.points.map(([size]) => size) ?? [];
  const times = lines.flatMap(({ points }) => points.map(([, ms]) => ms));
  const [minExponent, maxExponent] = [
    Math.floor(Math.log10(Math.min(...times))),
    Math.ceil(Math.log10(Math.max(...times))),
  ];
  const [small = 1, large = 10] = [sizes[0], sizes.at(-1)];
  const share = (value: number, from: number, to: number) =>
    (value - from) / Math.max(to - from, 1e-9);
  const x = (size: number) =>
    left + share(Math.log10(size), Math.log10(small), Math.log10(large)) * (width - left - right);
  const y = (ms: number) =>
    height - bottom - share(Math.log10(ms), minExponent, maxExponent) * (height - top - bottom);
  const text = (textX: number, textY: number, content: string, attributes = '') =>
    `<text x="${textX.toFixed(1)}" y="${textY.toFixed(1)}" ${attributes}>${content}</text>`;
  const decades = Array.from(
    { length: maxExponent - minExponent + 1 },
    (_, i) => 10 ** (minExponent + i),
  );
  const parts = [
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 18, 'p95 in ms by the number of releases'),
    ...decades.flatMap((ms) => [
      `<path d="M${left} ${y(ms).toFixed(1)}H${width - right}" stroke="#ddd"/>`,
      text(left - 8, y(ms) + 4, String(ms), 'text-anchor="end"'),
    ]),
    ...sizes.map((size) =>
      text(x(size), height - 18, size.toLocaleString('en'), 'text-anchor="middle"'),
    ),
    ...lines.flatMap(({ name, points }, i) => {
      const path = points
        .map(([size, ms]) => `${x(size).toFixed(1)} ${y(ms).toFixed(1)}`)
        .join('L');
      const [, last = 1] = points.at(-1) ?? [];
      const colour = colours[i] ?? '#000';
      return [
        `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        text(width - right + 8, y(last) + 4, `${name} ${last.toFixed(1)}`, `fill="${colour}"`),
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12"><title>Response times by the size of the catalogue</title>\n${parts.join('\n')}\n</svg>\n`;
}
