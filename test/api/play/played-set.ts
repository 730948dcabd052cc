import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatGame, importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

/** A server with a set of PSP games, whose files have random bytes. */
export interface PlayedSet {
  readonly app: TestApp;
  readonly request: Requester;
  readonly user: Awaited<ReturnType<typeof makePerson>>;
  readonly setId: number;
  /** The bytes of each file, by its name on a device. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Path of the folder of the library. */
  readonly root: string;
  /** Creates a device, and returns its id and the path of its address. */
  connect(more?: object): Promise<{ readonly id: number; readonly path: string }>;
  close(): Promise<void>;
}

/** Folder of the games in the tree of ES-DE. */
export const gamesFolder = 'ROMs/psp';

/** Starts a server with files of these sizes in bytes, by name. Each is a game of the set. */
export async function startPlayedSet(
  sizes: Readonly<Record<string, number>>,
  options: Record<string, string> = {},
): Promise<PlayedSet> {
  const root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  const app = await startTestApp({ 'games-root': root, ...options });
  const basePath = options['base-path'] ?? '';
  const request = createRequester(app.url);
  const files = new Map<string, Buffer>();
  const games: DatGame[] = [];
  for (const [name, size] of Object.entries(sizes)) {
    const bytes = randomBytes(size);
    files.set(name, bytes);
    await writeFile(join(root, name), bytes);
    const sha1 = createHash('sha1').update(bytes).digest('hex');
    const title = name.slice(0, name.lastIndexOf('.'));
    games.push({ name: title, region: 'Japan', roms: [{ name, size: `${size}`, sha1 }] });
  }
  await importGames(app, games, 'Sony - PlayStation Portable');
  await app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
  const user = await makePerson(app, 'user');
  const call = async (path: string, json: object) =>
    (await request('POST', `${basePath}/api/${path}`, { token: user.token, json })).json;
  const setId = Number((await call('sets', { name: 'PSP', rule: { all: [] } })).id);
  return {
    ...{ app, request, user, setId, files, root },
    async connect(more = {}) {
      const device = { name: 'Vita', set_id: setId, profile: 'es-de', ...more };
      const made = await call('devices', device);
      return { id: (made.device as { id: number }).id, path: String(made.path) };
    },
    async close() {
      await app.close();
      await rm(root, { recursive: true });
    },
  };
}
