import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ImportProgress } from '../../src/core/imports/imports.ts';
import { importWork } from '../../src/jobs/import-work.ts';
import { makePerson } from '../support/data/people.ts';
import { startTestApp } from '../support/http/app.ts';
import { sendRequest } from '../support/http/client.ts';
import { useSandbox } from '../support/process.ts';
import { clrmamepro, game, xml } from './support/dat-text.ts';
import { actor, useImports } from './support/imports-fixture.ts';
import { zipOf } from './support/zip-file.ts';

const rows = ['a', 'b', 'c', 'd'].map((seed) => game(`Game ${seed}`, seed));

async function files() {
  const imports = await useImports();
  const good = xml(rows, 'Test - One', '2024');
  const paths = await Promise.all([
    imports.write('one.dat', good),
    imports.write('broken.dat', xml(rows).replace('</game>', '</rom>')),
    imports.write('two.dat', clrmamepro(rows.slice(0, 3), 'Test - Two')),
    imports.write('cut.dat', xml(rows).slice(0, -100)),
    imports.write('bomb.zip', zipOf([{ name: '../../x.dat', content: good }])),
    imports.write(
      'facts.dat',
      xml([{ name: 'Game a', fields: { genre: 'Puzzle' } }, {}], 'Test - One'),
    ),
  ]);
  return { imports, paths };
}

describe('an import through the command line or the API', () => {
  test('reports three good and three broken files in one call, and exits with 1', async () => {
    const { imports, paths } = await files();
    const sandbox = await useSandbox();
    const { code, stdout, stderr } = await sandbox.run(['import', ...paths]);
    expect(code).toBe(1);
    const plain = (text: string) => text.replaceAll(`${imports.folder}/`, '').trimEnd().split('\n');
    expect(plain(stdout)).toEqual([
      'imported one.dat',
      '         Test - One 2024: 4 rows, 4 releases: 4 new',
      'imported two.dat',
      '         Test - Two 1: 3 rows, 3 releases: 3 new',
      'imported facts.dat',
      '         Test - One 1: 2 rows, metadata: 1 with new metadata',
      '         1 row refused:',
      '           at line 5: it has no name, and says nothing that releases keep',
      '3 files imported, 3 refused',
    ]);
    expect(plain(stderr)).toEqual([
      expect.stringMatching(/^refused {2}broken\.dat:4: not well-formed XML: .+$/),
      expect.stringMatching(/^refused {2}cut\.dat:7: .+$/),
      'refused  bomb.zip:../../x.dat: its name is a path that leaves the zip: unpack it first',
    ]);
    const again = await sandbox.run(['import', '--json', ...paths]);
    expect(again).toMatchObject({ code: 1, stderr: '' });
    const report = JSON.parse(again.stdout);
    expect(report).toMatchObject({ dryRun: false });
    expect(report.files.map((file: object) => 'refused' in file)).toEqual([
      false,
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(report.files[0].counts).toMatchObject({ rows: 4, releases: 4, unchanged: 4, new: 0 });
  });

  test('prints no control characters of a file to the terminal', async () => {
    const imports = await useImports();
    const sandbox = await useSandbox();
    const path = await imports.write(
      'x.zip',
      zipOf([
        { name: '\x1b]0;x\x07.dat', content: clrmamepro(rows, 'P \x1b[31m') },
        { name: '\x1b[2J.dat', content: 'none' },
      ]),
    );
    const { stdout, stderr } = await sandbox.run(['import', path]);
    expect(stdout).toContain('4 new');
    expect(stderr).toContain('refused');
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
  });

  test('is listed for editors and admins with its counts and samples', async () => {
    const app = await startTestApp();
    onTestFinished(() => app.close());
    const { imports, paths } = await files();
    const { signal } = new AbortController();
    const options = { signal, onProgress() {}, onFile() {} };
    const actor = { kind: 'cli', username: 'somebody' } as const;
    await app.catalog.imports.importPaths(paths, options, actor as never);
    const [a, b, c] = rows;
    const newer = [a, b, { ...c, name: 'Renamed' }, game('New', 'n')].map((row) => row ?? {});
    await imports.write('one.dat', xml(newer, 'Test - One', '2025'));
    await app.catalog.imports.importPaths(
      [join(imports.folder, 'one.dat')],
      options,
      actor as never,
    );
    const editor = await makePerson(app, 'editor');
    const user = await makePerson(app, 'user');
    for (const path of ['/api/imports', '/api/imports/1']) {
      expect((await sendRequest(app.url + path)).status).toBe(401);
      expect((await sendRequest(app.url + path, { token: user.token })).status).toBe(403);
      expect((await sendRequest(app.url + path, { token: app.adminToken })).status).toBe(200);
    }
    const { token } = editor;
    const { json } = await sendRequest(`${app.url}/api/imports`, { token });
    expect(json.items.map((item: { file: string }) => item.file)).toEqual([
      'one.dat',
      'facts.dat',
      'two.dat',
      'one.dat',
    ]);
    const [newest] = json.items;
    expect(newest).toMatchObject({
      platform: 'Test - One',
      version: '2025',
      imported_by: expect.stringContaining('somebody'),
    });
    expect(newest.counts).toMatchObject({
      rows: 4,
      releases: 4,
      new: 1,
      changed: 1,
      renamed: 1,
      unchanged: 2,
      gone: 1,
      joined: 0,
      refused_rows: 0,
    });
    const one = (await sendRequest(`${app.url}/api/imports/${newest.id}`, { token })).json;
    expect(one).toMatchObject({
      ...newest,
      samples: { renamed: ['Game c -> Renamed'], gone: ['Game d'], new: ['New'] },
    });
    const gone = (await sendRequest(`${app.url}/api/releases?q=Game%20d`)).json;
    expect(gone.items).toMatchObject([{ name: 'Game d' }]); // reported as gone, but not removed
    const facts = (await sendRequest(`${app.url}/api/imports/3`, { token })).json;
    expect(facts).toMatchObject({
      source: { id: null },
      counts: { rows: 2, filled: 1, refused_rows: 1 },
    });
    expect((await sendRequest(`${app.url}/api/imports/99`, { token })).status).toBe(404);
    const page = (await sendRequest(`${app.url}/api/imports?limit=1&offset=1`, { token })).json;
    expect(page.items.map((item: { file: string }) => item.file)).toEqual(['facts.dat']);
  });

  test('adds its releases to the responses with include=, facets and letters', async () => {
    const app = await startTestApp();
    onTestFinished(() => app.close());
    const { paths } = await files();
    const { signal } = new AbortController();
    await app.catalog.imports.importPaths(
      paths,
      { signal, onProgress() {}, onFile() {} },
      { kind: 'system' },
    );
    const imports = await useImports();
    const franchise = await imports.write(
      'f.dat',
      xml([{ name: 'Game a', fields: { franchise: 'Saga' } }], 'Test - One'),
    );
    await app.catalog.imports.importPaths(
      [franchise],
      { signal, onProgress() {}, onFile() {} },
      { kind: 'system' },
    );
    const get = async (path: string) => (await sendRequest(`${app.url}/api${path}`)).json;
    const list = await get(
      '/releases?search=game&platform=test%20one&limit=2&include=total,platform,region',
    );
    expect(list).toMatchObject({
      total: 4,
      items: [{ name: 'Game a', platform: 'Test - One', regions: [] }, {}],
    });
    const plain = await get('/releases?limit=1');
    expect(Object.keys(plain)).toEqual(['items', 'limit', 'offset']);
    expect(Object.keys(plain.items[0])).toEqual([
      'id',
      'system',
      'name',
      'region',
      'serial',
      'cover',
    ]);
    const { id } = list.items[0];
    expect((await get(`/releases/${id}`)).meta).toEqual({
      title: '',
      manual: false,
      genre: 'Puzzle',
    });
    expect((await get(`/releases/${id}?include=franchise`)).meta).toMatchObject({
      franchise: 'Saga',
    });
    expect(await get('/facets?search=game')).toEqual({
      systems: [{ system: 'games', releases: 7 }],
      platforms: [
        { platform: 'Test - One', releases: 4 },
        { platform: 'Test - Two', releases: 3 },
      ],
      regions: [],
    });
    expect(await get('/letters?platform=Test%20-%20Two')).toEqual({
      items: [{ initial: 'G', offset: 0, releases: 3 }],
    });
  });

  test('reports one progress for all of its files together', async () => {
    const imports = await useImports();
    const names = ['one', 'two', 'three'];
    const paths = await Promise.all(
      names.map((name) => imports.write(`${name}.dat`, xml(rows, `Test - ${name}`))),
    );
    const progress: object[] = [];
    const work = importWork(imports.catalog, 'import', paths, {}, actor);
    await work.run({
      signal: new AbortController().signal,
      step: null,
      async keepStep() {},
      onProgress: (next: ImportProgress) => progress.push(work.progressOf(next)),
    });
    const reported = progress as { phase: string; done: number; total: number; name: string }[];
    const [first] = reported;
    expect(new Set(reported.map(({ name }) => name)).size).toBe(3);
    for (const each of reported)
      expect(each).toMatchObject({ phase: 'import', total: first?.total });
    const done = reported.map((each) => each.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(first?.total);
  });
});
