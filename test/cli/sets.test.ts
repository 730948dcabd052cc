import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, sendRequest } from '../support/http/client.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

let sandbox: Sandbox;
let server: Server;
let token: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.serve();
  token = await logIn(server.url, 'admin', 'admin-password');
});
afterAll(() => sandbox.close());

const sets = (...args: string[]) => sandbox.run(['sets', ...args]);
const save = (rule: unknown, ...args: string[]) =>
  sandbox.run(['sets', 'save', ...args, '--rule', '-'], { stdin: JSON.stringify(rule) });
const refused = (line: string, code = 1) => ({ code, stdout: '', stderr: `catalog: ${line}\n` });
const games = { field: 'system', is: 'games' };
const regionIs = (region: string) => ({ field: 'region', is: region });
/** Returns the sets with a name, as the server shows them. */
const setsOfApi = async (wanted: string) => {
  const { json } = await sendRequest(`${server.url}/api/sets`, { token });
  return (json.items as { name: string }[]).filter(({ name }) => name === wanted);
};

describe('catalog sets', () => {
  test.concurrent('saves and shows a set that all users see', async () => {
    const file = join(sandbox.folder, 'rule.json');
    await writeFile(file, JSON.stringify(games));
    const saved = await sets('save', 'All games', '--rule', file, '--json');
    const { id, ...set } = JSON.parse(saved.stdout);
    const expected = { name: 'All games', owner: null, shared: true, rule: games, prefer: null };
    expect(set).toEqual({ ...expected, count: expect.any(Number) });
    expect(await setsOfApi('All games')).toMatchObject([{ id, ...expected }]);
    const shown = await sets('show', 'All games');
    const rule = JSON.stringify(games, null, 2);
    expect(shown.stdout).toMatch(/^[0-9]+\tAll games\t\tshared\t[0-9]+ releases\n/);
    expect(shown.stdout.endsWith(`releases\n${rule}\n`)).toBe(true);
    const again = JSON.parse((await sets('show', `${id}`, '--json')).stdout);
    expect(again).toEqual({ id, ...expected, count: expect.any(Number) });
  });

  test.concurrent('changes the rule of a set, and removes the set', {
    tags: ['full'],
  }, async () => {
    await save(games, 'Mine');
    const rule = { not: games };
    const { id, ...changed } = JSON.parse((await save(rule, 'Mine', '--json')).stdout);
    expect(changed).toMatchObject({ owner: null, rule });
    expect((await sets('list')).stdout).toMatch(
      new RegExp(`^${id}\tMine\t\tshared\t0 releases$`, 'm'),
    );
    expect(await sets('remove', `${id}`)).toMatchObject({ code: 0, stdout: 'removed Mine\n' });
    expect(await setsOfApi('Mine')).toEqual([]);
  });

  test.concurrent('saves preferred editions, and explains which is chosen and why', async () => {
    const dat = join(sandbox.folder, 'editions.dat');
    const names = ['Zork (Europe)', 'Zork (USA)', 'Zork (Japan)'];
    const rows = names.map((name, i) => `game ( name "${name}" rom ( size 1 crc 0000000${i} ) )`);
    const header = 'clrmamepro ( name "Sega - Saturn" )';
    await writeFile(dat, [header, ...rows].join('\n'));
    expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
    const { json } = await sendRequest(`${server.url}/api/releases?q=zork`, { token });
    const ids = new Map((json.items as { name: string; id: number }[]).map((r) => [r.name, r.id]));
    const idOf = (name: string) => `${ids.get(name)}`;
    const file = join(sandbox.folder, 'prefer.json');
    await writeFile(file, JSON.stringify({ regions: ['USA', 'Europe'] }));
    const rule = { all: [{ field: 'search', contains: 'zork' }, { not: regionIs('Japan') }] };
    const saved = JSON.parse((await save(rule, 'Best', '--prefer', file, '--json')).stdout);
    const prefer = { one_per_game: true, regions: ['USA', 'Europe'], revision: 'newest' };
    expect(saved).toMatchObject({ prefer, count: 1 });
    expect((await sets('show', 'Best')).stdout).toContain('"one_per_game": true');
    expect(await sets('explain', 'Best', idOf('Zork (Europe)'))).toMatchObject({
      code: 0,
      stdout: [
        'Zork (Europe) is not in the set.',
        'The rule of the set selects it.',
        'Its edition was rejected: another one has a better region.',
        'Editions of the game that the rule selects:',
        '  Zork (USA): chosen',
        '  Zork (Europe): rejected: another one has a better region\n',
      ].join('\n'),
    });
    const japan = await sets('explain', 'Best', idOf('Zork (Japan)'));
    expect(japan.stdout).toBe(
      'Zork (Japan) is not in the set.\nThe rule of the set does not select it.\n',
    );
    const asJson = await sets('explain', 'Best', idOf('Zork (USA)'), '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject({ in_set: true, rejected_by: null });
    expect(await sets('explain', 'Best', 'x')).toMatchObject(refused('there is no release "x"'));
    await writeFile(file, 'null');
    const cleared = JSON.parse((await save(rule, 'Best', '--prefer', file, '--json')).stdout);
    expect(cleared).toMatchObject({ prefer: null, count: 2 });
  });

  test.concurrent('lists the IDs of the sets if several sets have the given name', {
    tags: ['full'],
  }, async () => {
    await save(games, 'Twice');
    await save(games, 'Twice', '--owner', 'admin');
    const all = JSON.parse((await sets('list', '--json')).stdout) as { name: string; id: number }[];
    const [first, second] = all.filter(({ name }) => name === 'Twice').map(({ id }) => id);
    const line = `several sets are named "Twice": use an id of ${first} (no owner), ${second} (admin)`;
    expect(await sets('remove', 'Twice')).toMatchObject(refused(line));
    expect(await setsOfApi('Twice')).toMatchObject([{ shared: true }, { shared: false }]);
  });

  test.concurrent('refuses an unknown set, owner or file in one line', {
    tags: ['full'],
  }, async () => {
    expect(await sets('show', 'none')).toMatchObject(
      refused('there is no set "none": "catalog sets list" shows all sets'),
    );
    expect(await save(games, 'A', '--owner', 'nobody')).toMatchObject(
      refused('--owner: there is no user "nobody"'),
    );
    const none = await sets('save', 'A', '--rule', 'none.json');
    expect(none).toMatchObject(refused('--rule: cannot read none.json as JSON'));
  });

  test.concurrent('refuses an invalid rule or name in one line', { tags: ['full'] }, async () => {
    expect(await save({ field: 'x', is: 1 }, 'A')).toMatchObject(
      refused('rule: there is no field "x"'),
    );
    expect(await save(games, 'a/b')).toMatchObject(refused('name: must not contain a slash'));
    expect(await sets('save', 'A')).toMatchObject({ code: 2 });
  });
});
