import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  watch,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { freeze, freezeBetweenWrites } from '../../../support/freeze.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';
import { makeRar5 } from '../../../support/images/rar.ts';
import { pollOptions } from '../../../support/poll-options.ts';

const games = { 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' };
const paths = ['gb/Ant (USA).gb', 'gb/Bee (USA).gb', 'gb/gamelist.xml'];
let app: TestApp;
let request: Requester;
let folder: string;
let stick: string;
let set = 0;
const tokens = { editor: '', user: '', admin: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-builds-'));
  const root = join(folder, 'library');
  await mkdir(root);
  stick = join(folder, 'stick');
  app = await startTestApp({
    'games-root': root,
    target: `stick=${stick},away=${join(folder, 'away')},full=${join(folder, 'full')}`,
  });
  request = createRequester(app.url);
  tokens.admin = app.adminToken;
  tokens.editor = (await makePerson(app, 'editor')).token;
  tokens.user = (await makePerson(app, 'user')).token;
  const rows = Object.entries(games).map(([name, content]) => {
    const sha1 = createHash('sha1').update(content).digest('hex');
    return { name, roms: [{ name: `${name}.gb`, size: `${content.length}`, sha1 }] };
  });
  for (const content of Object.values(games)) {
    const name = createHash('sha1').update(content).digest('hex');
    await writeFile(join(root, `${name}.gb`), content);
  }
  await importGames(app, rows, 'Nintendo - Game Boy');
  await app.catalog.targets.begin();
  await ended(await start('scan', {}));
  set = await save('All', { shared: true });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function save(name: string, more: object, token = tokens.editor): Promise<number> {
  const json = { name, rule: { all: [] }, ...more };
  return Number((await request('POST', '/api/sets', { token, json })).json.id);
}

const post = (kind: string, options: object, token = tokens.editor) =>
  request('POST', '/api/jobs', { token, json: { kind, options } });

async function start(kind: string, options: object): Promise<number> {
  const { status, json } = await post(kind, options);
  expect([status, json]).toEqual([200, { id: expect.any(Number) }]);
  return Number(json.id);
}

function ended(id: number) {
  return vi.waitFor(async () => {
    const { json } = await request('GET', `/api/jobs/${id}`, { token: tokens.editor });
    expect(['queued', 'running']).not.toContain(json.state);
    return json;
  }, pollOptions);
}

const run = async (kind: string, options: object) => ended(await start(kind, options));

async function targets() {
  return (await request('GET', '/api/targets', { token: tokens.editor })).json.items;
}

const batocera = (target = 'stick', more: object = {}) => ({
  ...{ set, profile: 'batocera', target },
  ...more,
});

describe('a build in a target', () => {
  test('does not create the folder of a device that is not connected', async () => {
    const reason = 'the folder of the target "away" is missing: connect the device';
    for (const kind of ['build-preview', 'build']) {
      const job = await run(kind, batocera('away'));
      expect(job).toMatchObject({ state: 'failed', report: { error: reason } });
    }
    const undo = await run('build-undo', { target: 'away' });
    expect(undo).toMatchObject({ state: 'failed', report: { error: reason } });
    expect(await readdir(folder)).not.toContain('away');
  });

  test('is previewed, made, left unchanged by a second one, undone, and recorded', async () => {
    await mkdir(stick);
    const none = { host: null, present: false, last_build: null };
    expect(await targets()).toEqual([
      { ...none, name: 'away', path: join(folder, 'away') },
      { ...none, name: 'full', path: join(folder, 'full') },
      { ...none, name: 'stick', path: stick, present: true },
    ]);
    const added = [
      { path: paths[0], size: 3 },
      { path: paths[1], size: 3 },
      { path: paths[2], size: expect.any(Number) },
    ];
    const report = {
      ...{ set: 'All', profile: 'batocera', target: 'stick', add: added, add_files: 3 },
      ...{ free_bytes: expect.any(Number), lacking_bytes: 0, not_in_library: 0 },
      ...{ keep: [], keep_files: 0, conflicts: [], left_out: [], left_out_files: 0 },
    };
    expect(await run('build-preview', batocera())).toMatchObject({ state: 'done', report });
    expect(await readdir(stick)).toEqual([]);
    const made = await run('build', batocera());
    expect(made).toMatchObject({
      ...{ state: 'done', attempts: 3, report },
      progress: { phase: 'build', unit: 'bytes' },
    });
    expect(await readFile(join(stick, 'gb/Ant (USA).gb'), 'utf8')).toBe('ant');
    const [, , built] = (await targets()) as { last_build: object }[];
    expect(built).toMatchObject({
      name: 'stick',
      last_build: {
        ...{ set_id: set, set: 'All', profile: 'batocera', built_at: expect.any(String) },
        ...{ files: 3, problems: 0, left_out: 0, unpack: false },
      },
    });
    expect((await run('build', batocera())).report).toMatchObject({ add: [], keep_files: 3 });
    const undone = await run('build-undo', { target: 'stick' });
    expect(undone).toMatchObject({
      state: 'done',
      report: {
        target: 'stick',
        deleted: paths.map((path) => ({ path })),
        deleted_files: 3,
        stripped: [],
        left: [],
        undeleted: [],
      },
    });
    expect(await targets()).toMatchObject([{}, {}, { name: 'stick', last_build: null }]);
  });

  test('keeps files that no build made, and is made among them only with `adopt`', async () => {
    await rm(stick, { recursive: true });
    await mkdir(join(stick, 'gb'), { recursive: true });
    await writeFile(join(stick, 'gb/Ant (USA).gb'), 'foreign');
    const refused = await run('build', batocera());
    expect(refused).toMatchObject({ state: 'failed' });
    expect(refused.reason).toContain('has files that no build made');
    const made = await run('build', batocera('stick', { adopt: true }));
    expect(made).toMatchObject({
      state: 'done',
      report: {
        add_files: 2,
        conflicts: [
          {
            path: 'gb/Ant (USA).gb',
            reason: 'A file that no build made has this name, so it stays as it is',
          },
        ],
      },
    });
    expect(await readFile(join(stick, 'gb/Ant (USA).gb'), 'utf8')).toBe('foreign');
    const [, , { last_build: last }] = (await targets()) as [
      object,
      object,
      { last_build: object },
    ];
    expect(last).toMatchObject({ files: 2, problems: 1 });
    await run('build-undo', { target: 'stick' });
    expect(await readdir(join(stick, 'gb'))).toEqual(['Ant (USA).gb']);
  });
});

describe('the API of targets and builds', () => {
  test("refuses a build of another user's private set like one of an unknown set", async () => {
    const own = await save('Own', {}, tokens.user);
    const detailOf = async (json: object) => (await post('build', json)).json.detail;
    expect(await detailOf(batocera('stick', { set: own }))).toBe(`set: there is no set ${own}`);
    expect(await detailOf(batocera('stick', { set: 999 }))).toBe('set: there is no set 999');
  });

  describe('a target with the mark of another process', () => {
    const mark = '.catalog-build-gone.1.00000000-0000-4000-8000-000000000000';

    beforeEach(async () => {
      await rm(stick, { recursive: true, force: true });
      await mkdir(stick);
      await writeFile(join(stick, mark), '');
    });

    test('is built in as soon as that mark is removed', { tags: ['full'] }, async () => {
      const changes = watch(stick, { signal: AbortSignal.timeout(pollOptions.timeout) });
      const id = await start('build', batocera());
      for await (const { filename } of changes) {
        const name = String(filename);
        if (!name.startsWith('.catalog-build-') || name === mark) continue;
        // The job removed its own mark, because it found the other one.
        if (!(await readdir(stick)).includes(name)) break;
      }
      await rm(join(stick, mark));
      expect(await ended(id)).toMatchObject({
        state: 'done',
        attempt: 1,
        report: { add_files: 3 },
      });
    });

    test('is built in if the mark was not renewed for five minutes', {
      tags: ['full'],
    }, async () => {
      const old = new Date(Date.now() - 6 * 60_000);
      await utimes(join(stick, mark), old, old);
      expect(await run('build', batocera())).toMatchObject({ state: 'done', attempt: 1 });
      expect(await readdir(stick)).not.toContain(mark);
      await run('build-undo', { target: 'stick' });
    });
  });

  test('forgets the last build of a device that was emptied elsewhere', async () => {
    await rm(stick, { recursive: true, force: true });
    await mkdir(stick);
    await run('build', batocera());
    expect(await targets()).toMatchObject([{}, {}, { last_build: { files: 3 } }]);
    await rm(stick, { recursive: true });
    await mkdir(stick);
    expect((await run('build-undo', { target: 'stick' })).state).toBe('failed');
    expect(await targets()).toMatchObject([{}, {}, { last_build: null }]);
  });

  test('hides the set, file and report of a build of a private set from other users', async () => {
    const other = await makePerson(app, 'editor');
    await rm(stick, { recursive: true, force: true });
    await mkdir(stick);
    const own = await save('Secret', {});
    const id = await start('build', batocera('stick', { set: own }));
    const made = await ended(id);
    expect(made).toMatchObject({ state: 'done', report: { set: 'Secret', add_files: 3 } });
    const seenBy = async (token: string) => {
      const { json: job } = await request('GET', `/api/jobs/${id}`, { token });
      const { json: list } = await request('GET', '/api/jobs?kind=build', { token });
      const { json: shown } = await request('GET', '/api/targets', { token });
      const [newest] = list.items as object[];
      const last = (shown.items as { last_build: object }[])[2]?.last_build;
      return { job, newest, last };
    };
    const { name, ...amounts } = made.progress as { name: string };
    expect(name).not.toBe('');
    expect(await seenBy(tokens.editor)).toMatchObject({
      ...{ job: made, newest: { id, progress: { name } }, last: { set: 'Secret', files: 3 } },
    });
    const hidden = { progress: { ...amounts, name: '' }, reason: null };
    for (const token of [other.token, tokens.admin]) {
      expect(await seenBy(token)).toMatchObject({
        job: { ...hidden, state: 'done', report: null },
        newest: { ...hidden, id },
        last: { set: null, set_id: own, files: 3 },
      });
    }
    await request('DELETE', `/api/sets/${own}`, { token: tokens.editor });
    expect((await seenBy(tokens.editor)).job).toEqual(made);
    await run('build-undo', { target: 'stick' });
  });

  test.each([
    [{ set: 1, profile: 'batocera' }, 'target: is required'],
    [{ set: 1, target: 'stick' }, 'profile: is required'],
    [{ profile: 'batocera', target: 'stick' }, 'set: is required'],
    [{ set: 1, profile: 'batocera', target: '/media' }, 'target: there is no target "/media"'],
    [{ set: 1, profile: 'nothing', target: 'stick' }, 'profile: there is no profile "nothing"'],
    [{ set: 0, profile: 'batocera', target: 'stick' }, 'set: '],
    [{ set: 1, profile: 'batocera', target: 'x'.repeat(101) }, 'target: '],
    [{ set: 1, profile: 'batocera', target: 'stick', to: '/media' }, 'to: no option of build'],
  ])('refuses a build with %j, and names the option', async (options, detail) => {
    const { status, json } = await post('build', options);
    expect(status).toBe(422);
    expect(String(json.detail).slice(0, detail.length)).toBe(detail);
  });

  test('lets no plain user see targets or start builds', async () => {
    expect((await request('GET', '/api/targets', { token: tokens.user })).status).toBe(403);
    for (const kind of ['build-preview', 'build', 'build-undo']) {
      expect((await post(kind, batocera(), tokens.user)).status).toBe(403);
    }
  });

  test('refuses at start a target that is, contains or is inside a library folder', async () => {
    const [own, below] = [join(folder, 'library'), join(folder, 'library/deep')];
    await mkdir(below, { recursive: true });
    for (const bad of [own, below, join(own, 'missing'), folder]) {
      const other = await startTestApp({ 'games-root': own, target: `bad=${bad},gone=/no/where` });
      await expect(other.catalog.targets.begin()).rejects.toThrow(
        /^--target: "bad": \S+ (is|is inside|contains) a folder of the library/,
      );
      await other.close();
    }
    const good = await startTestApp({ 'games-root': own, target: `gone=/no/where` });
    await good.catalog.targets.begin();
    const listed = await good.catalog.targets.list();
    expect(listed).toMatchObject([{ name: 'gone', isPresent: false }]);
    await good.close();
  });

  describe('a long build', { tags: ['full'] }, () => {
    const cow = 'gb/Cow (USA).gb';
    /** A sparse file that takes long to copy. */
    const size = 2 ** 30;

    beforeAll(async () => {
      await rm(stick, { recursive: true, force: true });
      await mkdir(stick);
      const row = { name: 'Cow (USA)', roms: [{ name: 'Cow (USA).gb', size: `${size}` }] };
      await importGames(app, [row], 'Nintendo - Game Boy', 'games', 'cow');
      const file = join(folder, 'library', 'Cow (USA).gb');
      await writeFile(file, 'cow');
      await truncate(file, size);
      await ended(await start('scan', { hash: false }));
    });

    /** Starts a build, and returns it with its process while that copies the long file. */
    async function startCopying() {
      const id = await start('build', batocera());
      await vi.waitFor(
        async () => {
          const names = (await readdir(stick)).filter((name) =>
            name.startsWith('.catalog-build.tmp'),
          );
          const sizes = await Promise.all(
            names.map(async (name) => (await stat(join(stick, name))).size),
          );
          expect(Math.max(...sizes)).toBeGreaterThan(3);
        },
        { ...pollOptions, interval: 5 },
      );
      const [, pid] = (await app.catalog.jobs.get(id)).owner.split('.');
      return { id, pid: Number(pid) };
    }

    const resume = (pid: number) => spawnSync('kill', ['-CONT', String(pid)]); // may have ended

    test('prevents other builds and undos, and leaves only whole files if stopped', async () => {
      const { id, pid } = await startCopying();
      onTestFinished(() => void resume(pid));
      if (app.database === '') await freezeBetweenWrites(pid, join(app.data, 'catalog.db'));
      else await freeze(pid);
      for (const [kind, options] of [
        ['build', batocera('full')],
        ['build-undo', { target: 'stick' }],
      ] as const) {
        const { status, json } = await post(kind, options);
        expect([status, json]).toEqual([409, { detail: 'already running' }]);
      }
      await request('POST', `/api/jobs/${id}/stop`, { token: tokens.editor });
      resume(pid);
      expect(await ended(id)).toMatchObject({
        state: 'stopped',
        progress: { phase: 'build', unit: 'bytes', total: expect.any(Number) },
      });
      expect((await readdir(join(stick, 'gb'))).sort()).toEqual(['Ant (USA).gb', 'Bee (USA).gb']);
      const unfinished = { set: 'All', profile: 'batocera', files: null };
      expect(await targets()).toMatchObject([{}, {}, { name: 'stick', last_build: unfinished }]);
    });

    test('continues in a second attempt after its process was killed', async () => {
      app.catalog.backgroundJobs.beginAttempts();
      const { id, pid } = await startCopying();
      process.kill(pid, 'SIGKILL');
      expect(await ended(id)).toMatchObject({
        ...{ state: 'done', attempt: 2, attempts: 3 },
        report: { add_files: 2, keep_files: 2, rename: [], conflicts: [] },
      });
      expect((await stat(join(stick, cow))).size).toBe(size);
      expect(await targets()).toMatchObject([{}, {}, { last_build: { files: 4 } }]);
      expect(await run('build-undo', { target: 'stick' })).toMatchObject({ state: 'done' });
    });
  });

  test('unpacks a disc image from an archive only with `unpack`', { tags: ['full'] }, async () => {
    await rm(stick, { recursive: true, force: true });
    await mkdir(stick);
    const image = 'what is on the disc';
    const packed = makeRar5([{ name: 'a.iso', content: Buffer.from(image) }]);
    await writeFile(join(folder, 'library', 'cat.rar'), packed);
    const sha1 = createHash('sha1').update(image).digest('hex');
    const roms = [{ name: 'Cat (USA).iso', size: `${image.length}`, sha1 }];
    await importGames(app, [{ name: 'Cat (USA)', roms }], 'Sony - PlayStation Portable');
    await ended(await start('scan', {}));
    const reason = expect.stringMatching(
      / does not open \.rar files of .*, but can open what is in it$/,
    );
    expect((await run('build-preview', batocera())).report).toMatchObject({
      left_out_files: 1,
      left_out: [{ path: 'cat.rar', reason, release: 'Cat (USA)', release_id: expect.any(Number) }],
    });
    expect((await post('build', batocera('stick', { unpack: 'yes' }))).status).toBe(422);
    const unpack = batocera('stick', { unpack: true });
    const add = expect.arrayContaining([{ path: 'psp/Cat (USA).iso', size: image.length }]);
    const report = { add, left_out_files: 0, unwritten: [] };
    expect((await run('build', unpack)).report).toMatchObject(report);
    expect(await readFile(join(stick, 'psp/Cat (USA).iso'), 'utf8')).toBe(image);
    expect(await targets()).toMatchObject([{}, {}, { last_build: { unpack: true } }]);
  });
});
