import { printable } from '../../core/shared/text.ts';

/** The progress of work, in the form that the display shows. */
export interface ProgressView {
  /**
   * Name of the current phase; "" if the work has only one phase. When the name changes, the
   * calculation of rate and remaining time starts again.
   */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** True if `done` and `total` are bytes. Rate and remaining time are shown only for bytes. */
  readonly areBytes?: true;
  /**
   * Texts about the progress, such as `file 3 of 40`. The first text is always shown, the other
   * texts only if there is room.
   */
  readonly counts: readonly [string, ...string[]];
  /** The path or name of the current file, with control characters not yet escaped. */
  readonly name: string;
}

/** Minimum width for a file name, in columns. If less room is left, the name is omitted. */
const minNameWidth = 8;

/**
 * Returns one line of at most `columns` columns: phase, bar, percentage and the first count. If
 * there is room, the other counts, remaining time, rate and name follow. `ms` is the time in
 * milliseconds since the phase began.
 */
export function barLine(shown: ProgressView, ms: number, columns: number): string {
  const { phase, done, total, name } = shown;
  const [count, ...counts] = shown.counts;
  const room = columns - 1; // some terminals wrap after the last column
  const share = total > 0 ? Math.min(done / total, 1) : 0;
  const bar = barOf(share, columns < 60 ? 4 : 18);
  let line = [phase, bar, `${Math.floor(share * 100)}%`, count].filter((part) => part).join(' ');
  for (const part of [...counts, ...speedOf(shown, ms)]) {
    if (widthOf(line) + part.length + 2 <= room) line += `, ${part}`;
  }
  const left = room - widthOf(line) - 1;
  if (name !== '' && left >= minNameWidth) line += ` ${truncate(printable(lastPart(name)), left)}`;
  return truncate(line, room);
}

/** Returns a progress line for output that is not a terminal, such as a file or a journal. */
export function plainLine(shown: ProgressView, ms: number): string {
  const { phase, counts, areBytes, done, total } = shown;
  const bytes = areBytes ? [`${sizeOf(done)} of ${sizeOf(total)}`] : [];
  const parts = [...counts, ...bytes, ...speedOf(shown, ms).toReversed()];
  return `${phase === '' ? '' : `${phase}: `}${parts.join(', ')}`;
}

function barOf(share: number, width: number): string {
  const full = Math.floor(share * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]`;
}

/** Returns the remaining time and the rate; empty if the progress is not in bytes. */
function speedOf({ areBytes, done, total }: ProgressView, ms: number): readonly string[] {
  if (!areBytes || done === 0) return [];
  const perSecond = done / Math.max(ms / 1000, 0.001);
  const seconds = Math.ceil(Math.max(total - done, 0) / perSecond);
  return [`${durationOf(seconds)} left`, `${sizeOf(perSecond)}/s`];
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KiB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}

function lastPart(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 2;
  for (const character of text) {
    used += widthOf(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}..`;
}

/**
 * Estimates the number of terminal columns of a text. The result may be too large, because every
 * character from U+1100 (Hangul) upwards counts as two columns.
 */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
  return width;
}
