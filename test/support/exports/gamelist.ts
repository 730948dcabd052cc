import { SaxesParser } from 'saxes';

/** A game of a `gamelist.xml`: the text of each of its elements. */
export type GamelistGame = Readonly<Record<string, string>>;

const common = ['path', 'name', 'desc', 'releasedate', 'developer', 'publisher', 'genre'];

/** Elements of a game that each program knows (es-app/src/MetaData.cpp in the program's source). */
const elements = {
  'es-de': [...common, 'sortname', 'rating', 'players'],
  batocera: [...common, 'image', 'thumbnail', 'family', 'region', 'lang'],
} as const;

/**
 * Reads a `gamelist.xml` like the program does. Throws if the program would refuse the list or drop
 * a part of it:
 * - text that is not well-formed XML, or starts with a byte order mark;
 * - elements that the program does not know, or that a game has twice;
 * - paths that do not begin with `./`, leave the folder, are hidden or listed twice;
 * - dates of another form;
 * - paths with an extension that is not among `extensions`, if these are given.
 */
export function readGamelist(
  text: string,
  program: keyof typeof elements,
  extensions: readonly string[] | null = null,
): GamelistGame[] {
  if (text.startsWith('\ufeff')) throw new Error('the list starts with a byte order mark');
  if (text.includes('\r')) throw new Error('the list has a carriage return');
  const games: Record<string, string>[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    const place = open.join('/');
    if (place === 'gameList/game') games.push({});
    else if (place !== 'gameList' && open.length !== 3) throw new Error(`unexpected ${place}`);
    if (open.length !== 3) return;
    if (!elements[program].some((each) => each === name)) throw new Error(`unknown ${name}`);
    const game = games.at(-1) ?? {};
    if (Object.hasOwn(game, name)) throw new Error(`${name} twice`);
    game[name] = '';
  });
  parser.on('text', (piece) => {
    const [game, name] = [games.at(-1), open[2]];
    if (game !== undefined && name !== undefined) game[name] += piece;
    else if (piece.trim() !== '') throw new Error(`text outside of an element: ${piece}`);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const paths = new Set<string>();
  for (const { path = '', name = '', releasedate = '19700101T000000' } of games) {
    const parts = path.split('/').slice(1);
    if (!path.startsWith('./') || parts.length === 0) throw new Error(`wrong path ${path}`);
    if (parts.some((part) => part.startsWith('.') || part === '')) throw new Error(`bad ${path}`);
    if (paths.has(path)) throw new Error(`${path} twice`);
    paths.add(path);
    const extension = path.slice(path.lastIndexOf('.') + 1);
    if (extensions?.includes(extension) === false) throw new Error(`no game: ${path}`);
    if (name === '') throw new Error(`${path} has no name`);
    if (!/^\d{4}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])T000000$/.test(releasedate)) {
      throw new Error(`wrong date ${releasedate}`);
    }
  }
  return games;
}
