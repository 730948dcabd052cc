import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
const setsOfApi = async () =>
  (await sendRequest(`${server.url}/api/sets`, { token })).json.items as { name: string }[];

test('saves, shows, lists, changes and removes a set that all users see', async () => {
  const file = join(sandbox.folder, 'rule.json');
  await writeFile(file, JSON.stringify(games));
  const saved = await sets('save', 'All games', '--rule', file, '--json');
  const set = { id: 1, name: 'All games', owner: null, shared: true, rule: games, prefer: null };
  expect([saved.code, JSON.parse(saved.stdout)]).toEqual([0, { ...set, count: 0 }]);
  expect(await setsOfApi()).toEqual([{ ...set, count: 0 }]);
  const shown = await sets('show', 'All games');
  expect(shown.stdout).toBe(
    `1\tAll games\t\tshared\t0 releases\n${JSON.stringify(games, null, 2)}\n`,
  );
  expect(JSON.parse((await sets('show', '1', '--json')).stdout)).toEqual({ ...set, count: 0 });
  const rule = { not: games };
  const changed = await save(rule, 'All games', '--json');
  expect(JSON.parse(changed.stdout)).toMatchObject({ id: 1, rule });
  expect((await sets('list')).stdout).toBe('1\tAll games\t\tshared\t0 releases\n');
  expect(JSON.parse((await sets('list', '--json')).stdout)).toMatchObject([{ id: 1, rule }]);
  expect(await sets('remove', '1')).toMatchObject({ code: 0, stdout: 'removed All games\n' });
  expect(await setsOfApi()).toEqual([]);
});

test('lists the ids if a name is that of several sets', async () => {
  await save(games, 'Mine', '--owner', 'admin');
  await save({ all: [] }, 'Mine', '--owner', 'admin');
  expect((await setsOfApi()).filter(({ name }) => name === 'Mine')).toMatchObject([
    { owner: 'admin', shared: false, rule: { all: [] } },
  ]);
  const args = ['users', 'add', 'ann', '--role', 'user', '--password-stdin'];
  await sandbox.run(args, { stdin: 'a password\n' });
  await save(games, 'Mine', '--owner', 'ann', '--shared');
  const line = 'several sets are named "Mine": use an id of 2 (admin), 3 (ann)';
  expect(await sets('show', 'Mine')).toMatchObject(refused(line));
  expect(await sets('remove', 'Mine')).toMatchObject(refused(line));
  expect(await save(games, 'Mine')).toMatchObject(refused(line));
  expect(await sets('show', '3')).toMatchObject({ code: 0 });
});

test('refuses invalid sets in one line', async () => {
  expect(await sets('show', 'none')).toMatchObject(
    refused('there is no set "none": "catalog sets list" shows all sets'),
  );
  expect(await save({ field: 'x', is: 1 }, 'A')).toMatchObject(
    refused('rule: there is no field "x"'),
  );
  expect(await save(games, 'a/b')).toMatchObject(refused('name: must not contain a slash'));
  expect(await save(games, 'A', '--owner', 'nobody')).toMatchObject(
    refused('--owner: there is no user "nobody"'),
  );
  const none = await sets('save', 'A', '--rule', 'none.json');
  expect(none).toMatchObject(refused('--rule: cannot read none.json as JSON'));
  expect(await sets('save', 'A')).toMatchObject({ code: 2 });
});
