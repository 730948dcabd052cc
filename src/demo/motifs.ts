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

type Motif = (canvas: Canvas) => string;

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const n = (value: number) => value.toFixed(1);
const circle = (x: number, y: number, r: number, paint: string) =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${paint}/>`;
const fill = (color: string) => `fill="${color}"`;
const line = (color: string, width: number) =>
  `fill="none" stroke="${color}" stroke-width="${n(width)}"`;

/** Of what lies below the lettering, and how far it may reach around it. */
const middleOf = (w: number, h: number, top: number) => ({
  x: w / 2,
  y: (top + h * 0.96) / 2,
  r: Math.min(w * 0.41, (h * 0.96 - top) * 0.47),
});

/** A sun above the sea. */
const sea: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
  const level = h * 0.62;
  const waves = range(7).map((row) => {
    const y = level + (row * h) / 17;
    const swing = h * 0.012 * (1 + row / 3);
    const step = w / 4;
    const start = -step * random();
    const curves = range(6).map(
      () => `q${n(step / 4)} ${n(-swing)} ${n(step / 2)} 0t${n(step / 2)} 0`,
    );
    return `<path d="M${n(start)} ${n(y)}${curves.join('')}" ${line(row % 2 ? second : ink, h * 0.011)}/>`;
  });
  return (
    circle(
      w * (0.34 + random() * 0.32),
      level - h * 0.09,
      Math.min(w * 0.25, level - h * 0.09 - top),
      fill(accent),
    ) +
    `<rect y="${n(level - h * 0.02)}" width="${w}" height="${h}" fill="PAPER"/>${waves.join('')}`
  );
};

/** Rings around a place off the middle. */
const rings: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
  const [x, y] = [w * (0.3 + random() * 0.4), top + (h - top) * 0.52];
  const unit = Math.min(w * 0.08, (y - top) / 9.2);
  const drawn = range(9).map((at) =>
    circle(x, y, unit * (9 - at), line(at % 3 === 1 ? second : ink, unit * 0.3)),
  );
  return drawn.join('') + circle(x, y, unit * 1.2, fill(accent));
};

/** Hills behind hills, and a moon. */
const hills: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
  const layer = (base: number, color: string, opacity: number) => {
    const points = range(7).map((at) => {
      const y = h * (base + (at % 2 ? -0.13 : 0.06) * (0.5 + random()));
      return `${n((at * w) / 6)},${n(y)}`;
    });
    return `<polygon points="0,${h} ${points.join(' ')} ${w},${h}" ${fill(color)} opacity="${opacity}"/>`;
  };
  return (
    circle(w * (0.25 + random() * 0.5), top + h * 0.12, Math.min(w, h) * 0.11, fill(accent)) +
    layer(0.6, second, 0.7) +
    layer(0.72, ink, 0.75) +
    layer(0.86, ink, 1)
  );
};

/** Dots that grow towards one of them. */
const dots: Motif = ({ width: w, height: h, top, colors: [, ink, accent], random }) => {
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

/** Quarters of circles, as tiles. */
const tiles: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
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

/** Houses with a light here and there. */
const town: Motif = ({
  width: w,
  height: h,
  top: below,
  colors: [, ink, accent, second],
  random,
}) => {
  const count = w > h ? 10 : 7;
  const unit = w / count;
  return range(count)
    .map((at) => {
      const top = Math.max(below, h * 0.4) + h * random() * 0.3;
      const lights = range(Math.floor((h - top) / unit / 0.55)).map((row) => {
        const color = random() < 0.28 ? accent : second;
        return `<rect x="${n(at * unit + unit * (0.2 + 0.34 * Math.round(random())))}" y="${n(top + unit * (0.25 + row * 0.55))}" width="${n(unit * 0.24)}" height="${n(unit * 0.3)}" ${fill(color)} opacity="${random() < 0.55 ? 1 : 0.15}"/>`;
      });
      return `<rect x="${n(at * unit)}" y="${n(top)}" width="${n(unit + 0.5)}" height="${h}" ${fill(ink)}/>${lights.join('')}`;
    })
    .join('');
};

/** A road that runs to the sun. */
const road: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second] }) => {
  const level = h * 0.58;
  const x = w / 2;
  const stripes = range(5).map((at) => {
    const y = level + (h - level) * (0.08 + 0.2 * at);
    return `<rect x="${n(x - 1.5 - at * 1.6)}" y="${n(y)}" width="${n(3 + at * 3.2)}" height="${n((h - level) * (0.05 + at * 0.022))}" fill="PAPER"/>`;
  });
  return (
    circle(x, level, Math.min(w * 0.27, level - top), fill(accent)) +
    `<rect y="${n(level)}" width="${w}" height="${n(h - level)}" ${fill(second)}/>` +
    `<polygon points="${n(x - w * 0.02)},${n(level)} ${n(x + w * 0.02)},${n(level)} ${n(w * 0.9)},${h} ${n(w * 0.1)},${h}" ${fill(ink)}/>${stripes.join('')}`
  );
};

/** Petals around a middle. */
const flower: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
  const { x, y, r } = middleOf(w, h, top);
  const count = 8 + 2 * Math.floor(random() * 3);
  const petals = range(count).map(
    (at) =>
      `<ellipse cx="${n(x)}" cy="${n(y - r * 0.58)}" rx="${n(r * 0.17)}" ry="${n(r * 0.42)}" transform="rotate(${n((at * 360) / count)} ${n(x)} ${n(y)})" ${fill(at % 2 ? second : ink)}/>`,
  );
  return petals.join('') + circle(x, y, r * 0.15, fill(accent));
};

/** Paths of planets. */
const orbits: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
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

/** Bars that lean, in a circle. */
const bars: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second], random }) => {
  const { x, y, r } = middleOf(w, h, top);
  const step = (r * 2) / 9;
  const lean = 20 + random() * 40;
  const drawn = range(9).map((at) => {
    const color = at === 5 ? accent : at % 2 ? second : ink;
    return `<rect x="${n(x - r * 1.1 + at * step * 1.1)}" y="${n(y - r * 1.5)}" width="${n(step * 0.62)}" height="${n(r * 3)}" ${fill(color)}/>`;
  });
  return `<clipPath id="c">${circle(x, y, r, '')}</clipPath><g clip-path="url(#c)"><g transform="rotate(${n(lean)} ${n(x)} ${n(y)})">${drawn.join('')}</g></g>`;
};

/** What covers show below their lettering. */
export const motifs: readonly Motif[] = [
  sea,
  rings,
  hills,
  tiles,
  orbits,
  town,
  dots,
  road,
  flower,
  bars,
];
