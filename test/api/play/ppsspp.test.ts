import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ppsspp } from '../../support/http/ppsspp.ts';
import { gamesFolder, type PlayedSet, startPlayedSet } from './played-set.ts';

let played: PlayedSet;
beforeAll(async () => {
  played = await startPlayedSet({
    'Ape Escape (Japan).cso': 700_001,
    'Lumines (Japan).iso': 1_200_000,
    'Ridge Racer (Japan).chd': 900_003,
  });
});
afterAll(() => played.close());

/** Returns pseudo-random numbers from 0 to below 1, the same ones in each run. */
function createRandom() {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Reads random parts of all games as PPSSPP, and returns the number of wrong responses. */
async function readRandomly(count: number): Promise<{ reads: number; wrong: number }> {
  const { path } = await played.connect();
  const program = new Ppsspp();
  const random = createRandom();
  const entries = await program.list(`${played.app.url}${path}${gamesFolder}`);
  const sizes = await Promise.all(entries.map(({ url }) => program.open(url)));
  const readOne = async (turn: number): Promise<boolean> => {
    const { url = '' } = entries[turn % entries.length] ?? {};
    const size = sizes[turn % entries.length] ?? 0;
    const start = Math.floor(random() * size);
    const end = Math.min(size, start + 1 + Math.floor(random() * 131_072));
    const bytes = await program.read(url, start, end, size);
    const name = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
    return played.files.get(name)?.subarray(start, end).equals(bytes) === true;
  };
  let wrong = 0;
  for (let turn = 0; turn < count; turn += 4) {
    const responses = await Promise.all([0, 1, 2, 3].map((more) => readOne(turn + more)));
    wrong += responses.filter((isRight) => !isRight).length;
  }
  return { reads: count, wrong };
}

describe('the server of a device', () => {
  test.each(['1.20', '1.16'] as const)(
    'lets PPSSPP %s find and open the games from the top folder',
    async (version) => {
      const { path } = await played.connect();
      const program = new Ppsspp(version);
      const open = async (folder: string, name: string) =>
        (await program.list(folder)).find(({ url }) => url.endsWith(`/${name}/`))?.url ?? '';
      const roms = await open(`${played.app.url}${path}`, 'ROMs');
      const games = await program.list(await open(roms, 'psp'));
      const names = games.map(({ url }) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)));
      expect(names).toEqual([...played.files.keys()]);
      for (const { url } of games) {
        const name = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
        expect(await program.open(url)).toBe(played.files.get(name)?.byteLength);
      }
    },
  );

  test('returns the right bytes in 300 random reads of a CSO, an ISO and a CHD', async () => {
    expect(await readRandomly(300)).toEqual({ reads: 300, wrong: 0 });
  });

  test('returns the right bytes in 5,000 random reads of a CSO, an ISO and a CHD', {
    tags: ['full'],
  }, async () => {
    expect(await readRandomly(5_000)).toEqual({ reads: 5_000, wrong: 0 });
  });
});
