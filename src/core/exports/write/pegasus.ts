import type { PlannedGame } from '../plan/planned-game.ts';
import type { ProfilePlatform } from '../profiles/profile.ts';
import { readDate } from './release-date.ts';

/**
 * Yields a `metadata.pegasus.txt`: a collection with its games
 * (https://pegasus-frontend.org/docs/user-guide/meta-files). `pictures` has paths relative to the
 * file.
 */
export async function* pegasusMetadata(
  games: AsyncIterable<{ readonly game: PlannedGame; readonly pictures: readonly string[] }>,
  { title, shortName, launch }: ProfilePlatform,
): AsyncGenerator<string> {
  yield [line('collection', title), line('shortname', shortName), line('launch', launch)].join('');
  for await (const { game, pictures } of games) yield `\n${gameText(game, pictures)}`;
}

function gameText(
  { name, entry, releases: [release] }: PlannedGame,
  pictures: readonly string[],
): string {
  return [
    line('game', release.title || name),
    // Without `./`, a name with a colon would be read as a URL, and spaces at its start would be
    // lost.
    line('file', `./${entry}`),
    line('developer', release.developer),
    line('publisher', release.publisher),
    line('genre', release.genre),
    line('release', dateText(release.releaseDate)),
    line('description', release.synopsis),
    ...pictures.slice(0, 1).map((path) => line('assets.box_front', `./${path}`)),
  ].join('');
}

/**
 * Returns a line with a value, or nothing if the value is empty. Pegasus reads `\n` in a text as a
 * line break. So each line break becomes `\n`, and a zero-width space is inserted into each `\n`
 * that the text itself contains.
 */
function line(key: string, value: string): string {
  const text = value
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, ' ')
    .trim()
    .replaceAll('\\n', '\\\u200bn')
    .replaceAll('\n', '\\n');
  return text === '' ? '' : `${key}: ${text}\n`;
}

/** Returns a date as Pegasus reads it, which may lack the month and the day. */
function dateText(text: string): string {
  const date = readDate(text);
  if (date === null) return '';
  const { year, month, day } = date;
  if (month === null) return year;
  return day === null ? `${year}-${month}` : `${year}-${month}-${day}`;
}
