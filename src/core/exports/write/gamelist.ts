import type { PlannedGame } from '../plan/planned-game.ts';
import { readDate } from './release-date.ts';
import { xmlElement } from './xml-text.ts';

/** A game with the paths of its pictures, by the element that names them. */
export interface ListedGame {
  readonly game: PlannedGame;
  /** Paths relative to the platform's folder. */
  readonly pictures: readonly { readonly element: string; readonly path: string }[];
}

/**
 * Yields the `gamelist.xml` of ES-DE (es-app/src/MetaData.cpp). Paths are relative to the folder of
 * the platform. ES-DE finds pictures by their names, so the list has none.
 */
export function esdeGamelist(games: AsyncIterable<ListedGame>): AsyncGenerator<string> {
  return gamelist(games, ({ game }) => commonElements(game));
}

/**
 * Yields the `gamelist.xml` of Batocera and of other systems with its EmulationStation
 * (es-app/src/MetaData.cpp of batocera-emulationstation).
 */
export function batoceraGamelist(games: AsyncIterable<ListedGame>): AsyncGenerator<string> {
  return gamelist(games, ({ game, pictures }) => {
    const [release] = game.releases;
    return [
      commonElements(game),
      ...pictures.map(({ element, path }) => xmlElement(element, `./${path}`)),
      xmlElement('family', release.franchise),
      xmlElement('region', regionCodeOf(release.region)),
    ].join('');
  });
}

async function* gamelist(
  games: AsyncIterable<ListedGame>,
  elementsOf: (game: ListedGame) => string,
): AsyncGenerator<string> {
  yield '<?xml version="1.0"?>\n<gameList>\n';
  for await (const game of games) yield `\t<game>\n${elementsOf(game)}\t</game>\n`;
  yield '</gameList>\n';
}

function commonElements({ shown, entry, releases: [release], ...game }: PlannedGame): string {
  const isFolderShown = entry.startsWith(`${shown}/`) && entry === `${shown}/${shown}`;
  return [
    xmlElement('path', `./${isFolderShown ? shown : entry}`),
    xmlElement('name', release.title || game.name),
    xmlElement('desc', release.synopsis),
    xmlElement('releasedate', esDate(release.releaseDate)),
    xmlElement('developer', release.developer),
    xmlElement('publisher', release.publisher),
    xmlElement('genre', release.genre),
  ].join('');
}

/** Returns a date as EmulationStation writes it. An unknown month or day becomes the first. */
function esDate(text: string): string {
  const date = readDate(text);
  return date === null ? '' : `${date.year}${date.month ?? '01'}${date.day ?? '01'}T000000`;
}

/** The codes of regions in EmulationStation, by the name of the region in DATs. */
const regionCodes: Readonly<Record<string, string>> = {
  world: 'wr',
  usa: 'us',
  europe: 'eu',
  japan: 'jp',
  asia: 'asia',
  australia: 'au',
  brazil: 'br',
  canada: 'ca',
  china: 'cn',
  france: 'fr',
  germany: 'de',
  italy: 'it',
  korea: 'kr',
  spain: 'sp',
  uk: 'uk',
};

/** Returns the code of the first region that has one, or "". */
function regionCodeOf(regions: string): string {
  for (const region of regions.split(',')) {
    const code = regionCodes[region.trim().toLowerCase()];
    if (code !== undefined) return code;
  }
  return '';
}
