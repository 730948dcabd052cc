import type { PlannedGame } from '../plan/planned-game.ts';

/** Returns the label of a game, by which RetroArch also finds its pictures. */
export function retroarchLabel({ name }: Pick<PlannedGame, 'name'>): string {
  return name
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f]/g, ' ')
    .trim();
}

/**
 * Returns the name of a game's picture, without its extension: the label, with `_` for characters
 * that file systems forbid (docs.libretro.com, "Thumbnails").
 */
export function retroarchPictureName(label: string): string {
  return label.replace(/[&*/:`<>?\\|"]/g, '_');
}
