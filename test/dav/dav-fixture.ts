import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { User } from '../../src/core/accounts/account.ts';
import { readRule } from '../../src/core/sets/read-rule.ts';
import { importGames } from '../support/data/dats.ts';
import { makePerson } from '../support/data/people.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { createRequester, type TestResponse } from '../support/http/requester.ts';
import { plainPicture } from '../support/images/pictures.ts';

export const gameBoy = 'Nintendo - Game Boy';
export const platformPsx = 'Sony - PlayStation';
/** Names with characters that mean something in URLs and in XML, or that are not ASCII. */
export const oddNames = [
  'Ann & Bob #1? 100%25 <done> (USA)',
  "It's (a) [test]! + = ~ (USA)",
  'Käfer (Germany)',
  'ゼルダの伝説 (Japan)',
];

/** A server with a library, and a user who reads its trees. */
export interface DavFixture {
  readonly app: TestApp;
  /** The games folder of the library. */
  readonly root: string;
  readonly user: User & { readonly token: string };
  /** The id of the set `All`, which has all games. */
  readonly setId: number;
  /** The content of `Authorization`. */
  readonly basic: string;
  scan(): Promise<void>;
  /** Sends a request below `/dav`, of the user unless `authorization` says otherwise. */
  request(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string; authorization?: string },
  ): Promise<TestResponse>;
  close(): Promise<void>;
}

export function basicOf(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * Starts a server with games of odd names, a disc with a sheet, and a picture. `options` are those
 * of the command line.
 */
export async function startDav(options: Record<string, string> = {}): Promise<DavFixture> {
  const root = await mkdtemp(join(tmpdir(), 'catalog-dav-'));
  const app = await startTestApp({ 'games-root': root, ...options });
  const user = await makePerson(app, 'user');
  const { catalog } = app;
  async function owned(file: string, rom: string, content = `\0${rom}`) {
    await writeFile(join(root, file), content);
    const sha1 = createHash('sha1').update(content).digest('hex');
    return { name: rom, size: `${Buffer.byteLength(content)}`, sha1 };
  }
  const games = oddNames.map(async (name, index) => {
    return { name, roms: [await owned(`${index}.gb`, `${name}.gb`)] };
  });
  await importGames(app, await Promise.all(games), gameBoy);
  const sheet = (one: string, two: string) =>
    `FILE "${one}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n` +
    `FILE "${two}" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n`;
  const tracks = ['Disc (USA) (Track 1).bin', 'Disc (USA) (Track 2).bin'] as const;
  await writeFile(join(root, 'disc.cue'), sheet('data.bin', 'audio.bin'));
  const cue = sheet(...tracks);
  const cueSha1 = createHash('sha1').update(cue).digest('hex');
  const roms = [
    { name: 'Disc (USA).cue', size: `${cue.length}`, sha1: cueSha1 },
    await owned('data.bin', tracks[0], '1'.repeat(2352 * 4)),
    await owned('audio.bin', tracks[1], '2'.repeat(2352 * 4)),
  ];
  await importGames(app, [{ name: 'Disc (USA)', roms }], platformPsx);
  const fixture: DavFixture = {
    ...{ app, root, user, basic: basicOf(user.username, user.token) },
    setId: await makeSet(app, 'All'),
    async scan() {
      await catalog.scanner.scan({
        roots: catalog.libraryRoots,
        ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
        signal: new AbortController().signal,
        onProgress() {},
      });
    },
    request(method, path, { headers = {}, authorization = fixture.basic, ...rest } = {}) {
      const all = { ...headers, ...(authorization !== '' && { authorization }) };
      return createRequester(app.url)(method, path, { headers: all, ...rest });
    },
    async close() {
      await app.close();
      await rm(root, { recursive: true });
    },
  };
  await fixture.scan();
  await addCover(fixture);
  return fixture;
}

/** Gives each game a cover. */
async function addCover({ app }: DavFixture): Promise<void> {
  const cover = await plainPicture({ width: 900, height: 900 }, 'webp');
  for (const id of [1, 2]) await writeFile(join(app.data, 'covers', `${id}.webp`), cover);
}

/** Creates a shared set with all games, and returns its id. */
export async function makeSet({ catalog }: TestApp, name: string, ownerId: number | null = null) {
  const rule = readRule({ all: [] });
  const set = { name, ownerId, isShared: ownerId === null, rule, prefer: null };
  return (await catalog.sets.create(set, 'everybody', { kind: 'system' })).id;
}

/** Adds a game of this size, whose file takes no room. */
export async function addLargeGame(fixture: DavFixture, name: string, size: number): Promise<void> {
  const path = join(fixture.root, `${name}.iso`);
  await writeFile(path, '');
  await truncate(path, size);
  await importGames(
    fixture.app,
    [{ name, roms: [{ name: `${name}.iso`, size: `${size}` }] }],
    platformPsx,
  );
  await fixture.app.catalog.scanner.scan({
    roots: fixture.app.catalog.libraryRoots,
    ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
}
