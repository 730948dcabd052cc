import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, sendRequest } from '../support/http/client.ts';
import { openSandbox, type Program, type Sandbox, waitForUrl } from '../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** Starts the demo in the sandbox's folder on a free port. Returns its program and URL. */
async function startDemo(args: readonly string[] = []): Promise<Program & { url: string }> {
  const program = sandbox.start(['serve', '--demo', '--port', '0', ...args]);
  const url = await waitForUrl(program);
  return Object.assign(Object.create(program) as Program, { url });
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM');
  expect((await program.ended).code).toBe(0);
}

/** Returns the names and passwords in the output. */
const accountsIn = (printed: string) =>
  [...printed.matchAll(/^ {2}(\w+), (\S+)$/gm)].map(([, name = '', password = '']) => ({
    name,
    password,
  }));

interface Item {
  readonly id: number;
  readonly name: string;
  readonly platform: string;
  readonly system: string;
  readonly regions: string[];
  readonly cover_tag: string | null;
}
const include = 'total,platform,region,cover';

describe('catalog serve --demo', () => {
  test('serves 60 releases, covers, archives, a library and three accounts, and keeps edits', {
    tags: ['full'],
  }, async () => {
    const first = await startDemo();
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const accounts = accountsIn(first.stdout);
    expect(accounts.map(({ name }) => name)).toEqual(['admin', 'editor', 'user']);
    for (const { name, password } of accounts) {
      const token = await logIn(first.url, name, password);
      const me = await sendRequest(`${first.url}/api/auth/me`, { token });
      expect(me.json).toMatchObject({ username: name, role: name });
    }

    const { json } = await sendRequest(`${first.url}/api/releases?limit=500&include=${include}`);
    const items = json.items as Item[];
    expect([json.total, items.length]).toEqual([60, 60]);
    expect(items.filter(({ cover_tag }) => cover_tag === null)).toEqual([]);
    expect(new Set(items.map(({ platform }) => platform)).size).toBe(5);
    expect(new Set(items.map(({ system }) => system))).toEqual(new Set(['games', 'videos']));
    expect(new Set(items.flatMap(({ regions }) => regions)).size).toBeGreaterThan(4);
    expect(items.some(({ name }) => /\p{Script=Han}/u.test(name))).toBe(true);
    expect(items.some(({ name }) => name.includes(' & '))).toBe(true);

    for (const { id, cover_tag } of items.filter((_, at) => at % 12 === 0)) {
      const cover = await sendRequest(`${first.url}/api/cover/${id}?width=160&tag=${cover_tag}`);
      expect([cover.status, cover.headers['content-type']]).toEqual([200, 'image/webp']);
    }
    const token = await logIn(first.url, 'admin', accounts[0]?.password ?? '');
    const sets = (await sendRequest(`${first.url}/api/sets`, { token })).json.items;
    expect(sets).toMatchObject([{ name: 'For the PSP' }, { name: 'Missing from Japan' }]);
    const owned = items.find(({ name }) => name.startsWith('Golden Reef'))?.id;
    const detail = (await sendRequest(`${first.url}/api/releases/${owned}`)).json;
    expect(detail.meta).toMatchObject({ genre: 'Adventure', manual: false });
    expect(detail.roms[0].sha1).toMatch(/^[0-9a-f]{40}$/);
    const library = (await sendRequest(`${first.url}/api/releases/${owned}/library`, { token }))
      .json;
    expect(library.items).toMatchObject([{ name: 'golden reef.md', method: 'sha1' }]);
    const platforms = (await sendRequest(`${first.url}/api/platforms`, { token })).json;
    for (const { name, have, verified, releases } of platforms.items) {
      expect([name, verified]).toEqual([name, have]);
      expect(have, name).toBeGreaterThan(0);
      expect(have, name).toBeLessThan(releases);
    }
    const archives = (await sendRequest(`${first.url}/api/releases/${owned}/archives`)).json;
    expect(archives.items).toMatchObject([{ name: 'Golden Reef (Europe).zip' }]);

    const edit = { method: 'PATCH', token, json: { genre: 'Diving' } };
    expect((await sendRequest(`${first.url}/api/releases/${owned}`, edit)).status).toBe(200);
    await stop(first);

    const second = await startDemo();
    expect(accountsIn(second.stdout)).toEqual(accounts);
    const again = await sendRequest(`${second.url}/api/releases/${owned}`);
    expect(again.json.meta.genre).toBe('Diving');
    const count = await sendRequest(`${second.url}/api/releases?limit=1&include=total`);
    expect(count.json.total).toBe(60);
    await stop(second);

    expect(await readdir(sandbox.folder)).toEqual(['catalog-demo']); // CATALOG_DATA is ignored
    const image = await readFile(join(sandbox.folder, 'catalog-demo', 'covers', '1.png'));
    expect(image.subarray(1, 4).toString()).toBe('PNG');
  });

  test.each([['--data', 'x'], ['--host', '0.0.0.0'], ['--minimal']])(
    'refuses %s in one line',
    async (...options) => {
      const program = sandbox.start(['serve', '--demo', '--port', '0', ...options]);
      const { code, stdout, stderr } = await program.ended;
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        new RegExp(`^catalog: ${options[0]}: cannot be used with --demo[^\n]*\n$`),
      );
    },
  );
});
