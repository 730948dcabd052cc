import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { refused } from '../../../src/core/shared/errors.ts';
import { readZipEntry } from '../../../src/zip/read-entry.ts';
import { zipEntries } from '../../../src/zip/zip-entries.ts';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
let root: string;
let user: { id: number; username: string; token: string };

/** The files of one disc. */
const disc = {
  'Pokémon: a "disc".cue': 'FILE "Pokémon (Track 1).bin" BINARY',
  'Pokémon (Track 1).bin': 'one'.repeat(50_000),
  'Pokémon (Track 2).bin': '',
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  user = await makePerson(app, 'user');
  await importGames(app, ['A game: "it"? (Europe)', 'Empty', 'Single']);
  for (const folder of ['one', 'copy']) {
    await mkdir(join(root, folder));
    for (const [name, content] of Object.entries(disc)) {
      await writeFile(join(root, folder, name), content);
    }
  }
  await writeFile(join(root, 'Single.bin'), 'single');
  await scan(true);
  for (const name of Object.keys(disc)) await choose(name, 'A game: "it"? (Europe)');
  await choose('Single.bin', 'Single');
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

function scan(hash: boolean) {
  return app.catalog.scanner.scan({
    roots: app.catalog.libraryRoots,
    ...{ hash, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
}

async function choose(file: string, release: string): Promise<void> {
  const { json } = await request('GET', '/api/library', { token: user.token });
  const files = (json.items as { id: number; name: string }[]).filter(({ name }) => name === file);
  const id = await idOf(release);
  for (const one of files) await app.catalog.libraryFiles.choose(one.id, id, { kind: 'system' });
}

async function idOf(release: string): Promise<number> {
  const { json } = await request('GET', '/api/releases?limit=500');
  return (
    (json.items as { id: number; name: string }[]).find(({ name }) => name === release)?.id ?? 0
  );
}

const game = 'A game: "it"? (Europe)';
const download = async (release = game, headers = {}, method = 'GET') =>
  request(method, `/api/releases/${await idOf(release)}/download`, { token: user.token, headers });
const listOwn = async () =>
  (await request('GET', '/api/auth/downloads', { token: user.token })).json.items as object[];

/** Returns the files in a zip, and checks their CRC-32s. */
async function contentOf(zip: Buffer): Promise<Record<string, string>> {
  const bytes = {
    size: zip.length,
    async read(offset: number, length: number) {
      if (offset + length > zip.length) throw refused('behind the end');
      return zip.subarray(offset, offset + length);
    },
  };
  const found: Record<string, string> = {};
  for await (const entry of zipEntries(bytes)) {
    const pieces: Buffer[] = [];
    for await (const piece of readZipEntry(bytes, entry)) pieces.push(piece);
    found[entry.name] = Buffer.concat(pieces).toString();
  }
  return found;
}

describe('GET /releases/{release_id}/download', () => {
  test('sends all files of a release once, as a zip with safe names', async () => {
    const whole = await download();
    expect(whole.status).toBe(200);
    expect(whole.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="A game_ _it__ (Europe).zip"',
      'content-length': `${whole.body.length}`,
      'accept-ranges': 'bytes',
      'cache-control': expect.stringContaining('private'),
    });
    expect(await contentOf(whole.body)).toEqual({
      'Pokémon_ a _disc_.cue': disc['Pokémon: a "disc".cue'],
      'Pokémon (Track 1).bin': disc['Pokémon (Track 1).bin'],
      'Pokémon (Track 2).bin': '',
    });
    expect(await contentOf((await download('Single')).body)).toEqual({ 'Single.bin': 'single' });
  });

  const noUnzip = spawnSync('unzip', ['-v']).status === 0 ? null : 'skipped: needs unzip';
  test.skipIf(noUnzip !== null)(
    `sends a zip in which "unzip -t" finds no errors ${noUnzip ?? ''}`,
    async () => {
      const path = join(app.data, 'release.zip');
      await writeFile(path, (await download()).body);
      const tested = execFileSync('unzip', ['-t', path]).toString();
      expect(tested).toContain('No errors detected');
    },
  );

  test('handles ranges, validators and HEAD', async () => {
    const { body, headers } = await download();
    const etag = String(headers.etag);
    const head = await download(game, {}, 'HEAD');
    expect(head.headers).toMatchObject({ etag, 'content-length': `${body.length}` });
    expect((await download(game, { 'if-none-match': etag })).status).toBe(304);
    const middle = Math.floor(body.length / 2);
    const rest = await download(game, { range: `bytes=${middle}-`, 'if-range': etag });
    expect(rest.status).toBe(206);
    expect(rest.body.equals(body.subarray(middle))).toBe(true);
    expect((await download(game, { range: `bytes=${body.length}-` })).status).toBe(416);
  });

  test('sends another ETag and the new bytes when a file has changed', async () => {
    const path = join(root, 'one', 'Pokémon (Track 1).bin');
    const before = await download();
    // The copies differ now. The scan has not read the change yet.
    await writeFile(path, 'two'.repeat(50_000));
    await utimes(path, 1_700_000_000, 1_700_000_000);
    await rm(join(root, 'copy'), { recursive: true });
    await scan(false);
    await choose('Pokémon (Track 1).bin', game);
    const after = await download();
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect((await contentOf(after.body))['Pokémon (Track 1).bin']).toBe('two'.repeat(50_000));
    await scan(true);
    const hashed = await download();
    expect(await contentOf(hashed.body)).toEqual(await contentOf(after.body));
  });

  test('records a whole GET once, as a download of kind `library`', async () => {
    const before = (await listOwn()).length;
    const { body } = await download();
    await download(game, {}, 'HEAD');
    await download(game, { range: 'bytes=1-' });
    const own = await listOwn();
    expect(own.length - before).toBe(1);
    expect(own[0]).toMatchObject({
      kind: 'library',
      system: 'games',
      name: 'A game_ _it__ (Europe).zip',
      bytes: body.length,
    });
  });

  test('responds 404 for a release that is unknown, has no files or lost its file', async () => {
    const notFound = { detail: 'not found' };
    expect((await download('Empty')).json).toEqual(notFound);
    const unknown = await request('GET', '/api/releases/999999/download', { token: user.token });
    expect([unknown.status, unknown.json]).toEqual([404, notFound]);
    await rm(join(root, 'Single.bin'));
    expect((await download('Single')).status).toBe(404);
  });

  test('responds 403 with `--library-downloads off`', async () => {
    const closed = await startTestApp({ 'games-root': root, 'library-downloads': 'off' });
    onTestFinished(() => closed.close());
    const { token } = await makePerson(closed, 'user');
    const refusal = await createRequester(closed.url)('GET', '/api/releases/1/download', { token });
    expect([refusal.status, refusal.json]).toEqual([403, { detail: 'library downloads are off' }]);
  });
});
