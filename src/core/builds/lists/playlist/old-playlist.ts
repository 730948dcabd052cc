import type { OwnFiles } from '../list-form.ts';
import { placesIn } from './playlist-places.ts';

/** A playlist in the form that RetroArch wrote before 1.7.6, and still writes on demand. */
interface OldPlaylist {
  /** Each item has six lines, of which the first is the path. */
  readonly items: readonly (readonly string[])[];
  /** The settings of the list, such as `sort_mode = "0"`. */
  readonly settings: readonly string[];
}

/** Maximum number of lines, to limit the memory for a file that RetroArch did not write. */
const maxLines = 600_000;
const linesPerItem = 6;
const settingLine = /^\w+ = "([^"]*)"$/;
/** The values that RetroArch writes for settings if nothing was chosen. */
const unset = ['', 'DETECT', '0', '0|0'];

/** Parses a playlist in the old form. Returns null for anything else. */
export function parseOldPlaylist(text: string): OldPlaylist | null {
  if (!text.endsWith('\n') || text.includes('\0')) return null;
  const lines = text.slice(0, -1).split('\n', maxLines + 1);
  if (lines.length > maxLines) return null;
  let end = lines.length;
  while (end > 0 && isSetting(lines[end - 1] ?? '')) end -= 1;
  if (end % linesPerItem !== 0) return null;
  const items: string[][] = [];
  for (let at = 0; at < end; at += linesPerItem) {
    const item = lines.slice(at, at + linesPerItem);
    if (!item[linesPerItem - 1]?.trimEnd().endsWith('.lpl')) return null;
    items.push(item);
  }
  return { items, settings: lines.slice(end) };
}

/** Works like `stripPlaylist`, but for a playlist in the old form, which states no base folder. */
export function stripOldPlaylist(
  present: string,
  [base = '', folder = '']: readonly string[],
  { isOwn, key }: OwnFiles,
): { text: string; isEmpty: boolean } | null {
  const list = parseOldPlaylist(present);
  if (list === null) return null;
  const places = placesIn({ before: [], items: [], after: [] }, [base], { folder, key });
  const items = list.items.filter(([path]) => {
    const game = places.gameAt(path?.replace(/\r$/, ''), isOwn);
    return game === null || !isOwn(game.place);
  });
  const isUnset = (line: string) =>
    unset.includes(settingLine.exec(line.trimEnd())?.[1] ?? 'no setting');
  return {
    text: [...items.flat(), ...list.settings].map((line) => `${line}\n`).join(''),
    isEmpty: items.length === 0 && list.settings.every(isUnset),
  };
}

function isSetting(line: string): boolean {
  return settingLine.test(line.trimEnd());
}
