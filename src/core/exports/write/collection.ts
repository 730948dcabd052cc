/**
 * Returns the lines of a custom collection of ES-DE: the games with their places below the folder
 * of all games (CollectionSystemsManager.cpp).
 */
export function* collectionLines(
  games: Iterable<{ readonly folder: string; readonly shown: string }>,
): Generator<string> {
  for (const { folder, shown } of games) yield `%ROMPATH%/${folder}/${shown}\n`;
}
