import { circle, fill, line, type Motif, middleOf, n, range } from './drawing.ts';

/** Rings around a point that is not at the centre. */
export const rings: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
  const [x, y] = [w * (0.3 + random() * 0.4), top + (h - top) * 0.52];
  const unit = Math.min(w * 0.08, (y - top) / 9.2);
  const drawn = range(9).map((at) =>
    circle(x, y, unit * (9 - at), line(at % 3 === 1 ? second : ink, unit * 0.3)),
  );
  return drawn.join('') + circle(x, y, unit * 1.2, fill(accent));
};

/** A grid of dots. The further a dot is from the accented dot, the smaller it is. */
export const dots: Motif = ({ width: w, height: h, top, colors: [, ink, accent], random }) => {
  const columns = 9;
  const unit = w / (columns + 1);
  const rows = Math.floor((h - top) / unit);
  const [cx, cy] = [2 + Math.floor(random() * 5), Math.floor(rows / 2)];
  return range(rows * columns)
    .map((at) => {
      const [column, row] = [at % columns, Math.floor(at / columns)];
      const far = Math.hypot(column - cx, row - cy);
      const r = unit * Math.max(0.07, 0.44 - far * 0.055);
      const y = h - unit * (rows - row) + unit * 0.1;
      return circle(unit * (column + 1), y, r, fill(far === 0 ? accent : ink));
    })
    .join('');
};

/** Tiles, each with a quarter circle in a random orientation. */
export const tiles: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
  const columns = w > h ? 6 : 4;
  const unit = w / columns;
  const rows = Math.floor((h - top) / unit);
  return range(rows * columns)
    .map((at) => {
      const [x, y] = [(at % columns) * unit, h - (Math.floor(at / columns) + 1) * unit];
      const turn = Math.floor(random() * 4) * 90;
      const color = [ink, ink, second, accent][Math.floor(random() * 4)] ?? ink;
      const middle = `${n(x + unit / 2)} ${n(y + unit / 2)}`;
      return `<path d="M${n(x)} ${n(y)}h${n(unit)}a${n(unit)} ${n(unit)} 0 0 1 ${n(-unit)} ${n(unit)}z" transform="rotate(${turn} ${middle})" ${fill(color)}/>`;
    })
    .join('');
};

/** Petals around a centre. */
export const flower: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
  const { x, y, r } = middleOf(w, h, top);
  const count = 8 + 2 * Math.floor(random() * 3);
  const petals = range(count).map(
    (at) =>
      `<ellipse cx="${n(x)}" cy="${n(y - r * 0.58)}" rx="${n(r * 0.17)}" ry="${n(r * 0.42)}" transform="rotate(${n((at * 360) / count)} ${n(x)} ${n(y)})" ${fill(at % 2 ? second : ink)}/>`,
  );
  return petals.join('') + circle(x, y, r * 0.15, fill(accent));
};

/** Orbits of planets. */
export const orbits: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
  const { x, y, r } = middleOf(w, h, top);
  const tilt = -35 + random() * 30;
  const paths = range(4).map((at) => {
    const size = r * (0.4 + at * 0.2);
    const angle = random() * 6.28;
    return (
      `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(size)}" ry="${n(size * 0.42)}" ${line(ink, r * 0.014)}/>` +
      circle(
        x + size * Math.cos(angle),
        y + size * 0.42 * Math.sin(angle),
        r * (0.04 + at * 0.013),
        fill(second),
      )
    );
  });
  return (
    `<g transform="rotate(${n(tilt)} ${n(x)} ${n(y)})">${paths.join('')}</g>` +
    circle(x, y, r * 0.2, fill(accent))
  );
};

/** Slanted bars, clipped to a circle. */
export const bars: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
  const { x, y, r } = middleOf(w, h, top);
  const step = (r * 2) / 9;
  const lean = 20 + random() * 40;
  const drawn = range(9).map((at) => {
    const color = at === 5 ? accent : at % 2 ? second : ink;
    return `<rect x="${n(x - r * 1.1 + at * step * 1.1)}" y="${n(y - r * 1.5)}" width="${n(step * 0.62)}" height="${n(r * 3)}" ${fill(color)}/>`;
  });
  return `<clipPath id="c">${circle(x, y, r, '')}</clipPath><g clip-path="url(#c)"><g transform="rotate(${n(lean)} ${n(x)} ${n(y)})">${drawn.join('')}</g></g>`;
};
