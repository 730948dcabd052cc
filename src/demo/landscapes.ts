import { circle, fill, line, type Motif, n, range } from './drawing.ts';

/** A sun above the sea. */
export const sea: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
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
  const y = level - h * 0.09;
  const sun = circle(w * (0.34 + random() * 0.32), y, Math.min(w * 0.25, y - top), fill(accent));
  return `${sun}<rect y="${n(level)}" width="${w}" height="${h}" fill="PAPER"/>${waves.join('')}`;
};

/** Three layers of hills, and a moon. */
export const hills: Motif = ({
  width: w,
  height: h,
  top,
  colors: [, ink, accent, second],
  random,
}) => {
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

/** Houses with randomly lit windows. */
export const town: Motif = ({
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
export const road: Motif = ({ width: w, height: h, top, colors: [, ink, accent, second] }) => {
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
