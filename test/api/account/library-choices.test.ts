import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/shared/clock.ts';
import { SqlFileRecords } from '../../../src/sql/library/file-records.ts';
import { SqlScannedFiles } from '../../../src/sql/library/scanned-files.ts';
import { openDatabaseOf } from '../../support/data/database-of.ts';
import { importGames } from '../../support/data/dats.ts';
import { makePerson } from '../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}
interface Alike {
  readonly rule: string;
  readonly value: string;
  readonly files: readonly (Named & { readonly release: Named })[];
}

let app: TestApp;
let request: Requester;
let root: string;
let tokens: { user: string; editor: string };
const titles = ['Alpha', 'Beta', 'Gamma'];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  app = await startTestApp({ 'games-root': root });
  request = createRequester(app.url);
  tokens = {
    user: (await makePerson(app, 'user')).token,
    editor: (await makePerson(app, 'editor')).token,
  };
  // Releases of one name on two platforms, with regions of their own.
  for (const [at, [platform, region]] of [
    ['Sega - Saturn', 'Europe'],
    ['Sega - Dreamcast', 'Japan'],
  ].entries()) {
    const games = titles.map((name, index) => ({
      name,
      region: region ?? '',
      roms: [{ name: `${name}.iso`, size: '9', sha1: `${at}${index}`.padEnd(40, 'a') }],
    }));
    await importGames(app, games, platform);
  }
  for (const name of [...titles, 'unknown']) await writeFile(join(root, `${name}.bin`), name);
  await app.catalog.library.list({ refresh: true });
});
afterAll(async () => {
  await app.close();
  await rm(root, { recursive: true });
});

const get = (path: string, token = tokens.editor) => request('GET', path, { token });
async function files(state = ''): Promise<Named[]> {
  return (await get(`/api/library?state=${state}`)).json.items as Named[];
}
async function candidatesOf(name: string): Promise<{ id: number; candidates: Named[] }> {
  const file = (await files()).find((each) => each.name === `${name}.bin`);
  const { json } = await get(`/api/library/${file?.id}?include=choices`);
  return { id: file?.id ?? 0, candidates: json.choices as Named[] };
}
async function match(choices: unknown, token = tokens.editor) {
  const { status, json } = await request('POST', '/api/library/match', {
    token,
    json: { files: choices },
  });
  return [status, json.detail ?? json.files] as const;
}
const choice = (file_id: number, release_id: number | null) => ({ file_id, release_id });

beforeEach(async () => {
  const all = (await files()).map(({ id }) => choice(id, null));
  expect((await match(all))[0]).toBe(200);
  expect((await files('ambiguous')).map(({ name }) => name)).toEqual(
    titles.map((title) => `${title}.bin`),
  );
});

describe('GET /library/alike', () => {
  test('lists the rules of a choice, with the undecided files that each rule decides', async () => {
    const { id, candidates } = await candidatesOf('Alpha');
    const [saturn, dreamcast] = candidates;
    await match([choice(id, saturn?.id ?? 0)]);
    const { json } = await get(`/api/library/alike?chosen=${saturn?.id}&others=${dreamcast?.id}`);
    const items = json.items as Alike[];
    expect(items.map(({ rule, value }) => [rule, value])).toEqual([
      ['region', 'Europe'],
      ['platform', 'Sega - Saturn'],
    ]);
    for (const { files: alike } of items) {
      expect(alike.map(({ name }) => name)).toEqual(['Beta.bin', 'Gamma.bin']);
      for (const { name, release } of alike) {
        const [first] = (await candidatesOf(name.slice(0, -4))).candidates;
        expect(release).toEqual({ id: first?.id, name: first?.name });
      }
    }
  });

  test('refuses an unknown release, and a parameter that is not an id', async () => {
    const { candidates } = await candidatesOf('Alpha');
    const chosen = candidates[0]?.id;
    for (const query of [
      '',
      'chosen=1&others=',
      'chosen=1&others=a',
      `chosen=${chosen}&others=1,`,
    ]) {
      expect((await get(`/api/library/alike?${query}`)).status).toBe(422);
    }
    const unknown = await get(`/api/library/alike?chosen=${chosen}&others=999999`);
    expect([unknown.status, unknown.json.detail]).toEqual([
      422,
      'others: there is no such release',
    ]);
  });
});

describe('POST /library/match', () => {
  test('assigns releases to several files at once, and removes the assignments again', async () => {
    const found = await Promise.all(titles.map(candidatesOf));
    const choices = found.map(({ id, candidates }) => choice(id, candidates[1]?.id ?? 0));
    const ids = choices.map(({ file_id }) => file_id);
    expect(await match(choices)).toEqual([200, ids]);
    expect(await files('ambiguous')).toEqual([]);
    const { json } = await get(`/api/library/${ids[0]}`);
    expect(json).toMatchObject({
      method: 'manual',
      release_platform: 'Sega - Dreamcast',
      why: [],
    });
    const audit = await request('GET', '/api/audit?action=library.match&limit=3', {
      token: app.adminToken,
    });
    expect((audit.json.items as { target: string }[]).map(({ target }) => target).sort()).toEqual(
      ids.map((id) => `library/${id}`).sort(),
    );
    expect(await match(ids.map((id) => choice(id, null)))).toEqual([200, ids]);
    expect(await files('ambiguous')).toHaveLength(3);
    expect(await match(ids.map((id) => choice(id, null)))).toEqual([200, []]);
  });

  test('keeps the release of a file that was assigned meanwhile', async () => {
    const [alpha, beta] = await Promise.all(['Alpha', 'Beta'].map(candidatesOf));
    const [one, other] = alpha?.candidates ?? [];
    await match([choice(alpha?.id ?? 0, one?.id ?? 0)]);
    const both = [
      choice(alpha?.id ?? 0, other?.id ?? 0),
      choice(beta?.id ?? 0, beta?.candidates[0]?.id ?? 0),
    ];
    expect(await match(both)).toEqual([200, [beta?.id]]);
    expect((await get(`/api/library/${alpha?.id}`)).json).toMatchObject({ release_id: one?.id });
  });

  test('assigns no release if one of the choices is refused', async () => {
    const { id, candidates } = await candidatesOf('Alpha');
    const good = choice(id, candidates[0]?.id ?? 0);
    expect(await match([good, choice(999_999, null)])).toEqual([404, 'not found']);
    const beta = await candidatesOf('Beta');
    expect(await match([good, choice(beta.id, 999_999)])).toEqual([
      422,
      'release_id: there is no release 999999',
    ]);
    expect(await match([good, good])).toEqual([422, 'files: must name each file once']);
    const many = Array.from({ length: 501 }, (_, at) => choice(at + 1, null));
    for (const bad of [undefined, [], 'x', [{}], [choice(id, 1.5)], [choice(-1, null)], many]) {
      const [status, detail] = await match(bad);
      expect([status, detail]).toEqual([422, expect.stringMatching(/^files: /)]);
    }
    expect(await match([good], tokens.user)).toEqual([403, 'forbidden']);
    expect(await files('ambiguous')).toHaveLength(3);
  });
});

describe('a choice of a release', () => {
  test('is neither stored nor audited for a file that changed meanwhile', async () => {
    const engine = await openDatabaseOf(app);
    const paths = ['Alpha.bin', 'Beta.bin'].map((name) => join(root, name));
    const place = { path: root, system: 'games' } as const;
    const [alpha, beta] = await new SqlScannedFiles(engine.read).filesAt(place, paths);
    const ids = await Promise.all(['Alpha', 'Beta'].map(candidatesOf));
    const choices = [alpha, beta].flatMap((file, at) => {
      const { id = 0, candidates = [] } = ids[at] ?? {};
      if (file === undefined) return [];
      const changed = at === 0 ? { ...file, size: file.size + 1 } : file;
      const releaseId = candidates[0]?.id ?? 0;
      return [{ root: place, id, releaseId, files: [{ file: changed, canonical: null }] }];
    });
    const records = new SqlFileRecords({ engine, clock: systemClock });
    const before = await audited();
    expect(await records.choose(choices, { kind: 'system' })).toEqual([ids[1]?.id]);
    expect(await audited()).toBe(before + 1);
    expect((await files('ambiguous')).map(({ name }) => name)).toEqual(['Alpha.bin', 'Gamma.bin']);
    await engine.close();

    async function audited(): Promise<number> {
      const query = engine.read.selectFrom('audit').where('action', '=', 'library.match');
      const { count } = await query
        .select((is) => is.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    }
  });
});
