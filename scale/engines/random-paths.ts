import { createRandom } from '../../measure/dats.ts';

export type Api = 'account' | 'minimal';

/** Data from which paths are generated: some of the names, and the number of releases. */
export interface Known {
  readonly names: readonly string[];
  readonly count: number;
}

const odd = ['%', '_', '\\', 'É', 'é', 'ß', 'İ', 'ı', '\0', "'", '"', '大', '\u{1F600}', '[', ' '];
const numbers = [0, 1, 2, 50, 500, 501, -1, '1e3', 'x', '9223372036854775807', '1e30'];
const beyond = [...numbers, '9223372036854775808', '9007199254740993', '-9223372036854775809'];
const systems = ['games', 'videos', 'Games', '', 'x'];
const regions = ['Japan', 'usa', 'USA', 'Österreich', '日本', ''];
const includes = ['total', 'platform', 'region', 'cover', 'total,platform,region,cover', 'x', ''];
const releaseIncludes = ['sources', 'edits', 'history', 'sources,edits', 'cover', 'x', ''];

/** Returns `count` random paths. The same seed always yields the same paths. */
export function randomPaths(api: Api, known: Known, seed: number, count: number): string[] {
  const random = createRandom(seed);
  const number = (below: number) => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]) => list[number(list.length)] as T;
  /** Returns a random part of a name, sometimes altered. */
  const part = () => {
    const name = [...pick(known.names)];
    const start = number(name.length);
    let text = name.slice(start, start + 1 + number(12)).join('');
    if (random() < 0.25) text = text.replace(/./u, pick(odd));
    if (random() < 0.2) text = text.toUpperCase();
    if (random() < 0.1) text = `${text} ${pick(odd)}`;
    return encodeURIComponent(text.isWellFormed() ? text : 'x');
  };
  const id = () => (random() < 0.9 ? number(known.count + 20) : pick(beyond));
  const offset = () => (random() < 0.8 ? number(known.count) : pick(beyond));
  const severalRegions = () =>
    `region=${[pick(regions), pick(regions)].map(encodeURIComponent).join('%7C')}`;
  const commonPaths: (() => string)[] = [
    () => `/api/releases?limit=${pick([1, 20, 50, 100])}&offset=${offset()}`,
    () => `/api/releases?limit=${pick(beyond.filter((one) => one !== -1))}&offset=${offset()}`,
    () => `/api/releases?q=${part()}&limit=${pick([1, 20, 100])}&offset=${pick([0, 0, 3])}`,
    () => `/api/releases?q=${part()}+${part()}`,
    () => `/api/releases?system=${pick(systems)}&q=${part()}`,
    () => `/api/releases/${id()}`,
    () => pick(['/api/releases?limit=0', '/api/none', '/api/store', '/api/cover/1x']),
  ];
  const accountPaths: (() => string)[] = [
    () => {
      const { platform, region } = { platform: part(), region: encodeURIComponent(pick(regions)) };
      return `/api/releases?region=${region}&include=${pick(includes)}&offset=${pick([0, 10, 300])}${random() < 0.2 ? `&platform=${platform}` : ''}`;
    },
    () =>
      `/api/releases?search=${part()}&include=total&order=${pick(['name', 'newest', 'title', 'relevance', 'relevance'])}`,
    () => `/api/releases?order=${pick(['newest', 'title'])}&limit=20&offset=${offset()}`,
    () => `/api/facets?q=${random() < 0.7 ? part() : ''}&others=${pick([0, 1])}`,
    () => `/api/facets?${severalRegions()}&include=${pick(['genre,year', 'publisher', 'cover'])}`,
    () => `/api/releases?${severalRegions()}&order=title&offset=${pick([0, 10, 300])}`,
    () => `/api/releases?genre=${part()}%7C${part()}&year=${pick(['1996', '1996%7C1999'])}`,
    () => `/api/letters?q=${random() < 0.7 ? part() : ''}&system=${pick(systems)}`,
    () => `/api/letters?order=title&${random() < 0.7 ? severalRegions() : ''}`,
    () => `/api/releases/${id()}?include=${pick(releaseIncludes)}`,
    () => `/api/releases/${id()}/${pick(['library', 'archives'])}`,
    () => `/api/audit?limit=${pick([0, 5])}&offset=${pick([0, 3])}`,
    () => pick(['/api/platforms', '/api/users', '/api/imports', '/api/library', '/api/schedules']),
    () => pick(['/api/stats', '/api/downloads', '/api/auth/me', '/api/jobs?limit=0']),
  ];
  const minimalPaths = [() => pick(['/', '/api/summary', '/api/library', '/api/store'])];
  const kinds = [...commonPaths, ...(api === 'account' ? accountPaths : minimalPaths)];
  return Array.from({ length: count }, () => pick(kinds)());
}
