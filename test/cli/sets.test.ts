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
/** Returns the sets with a name, as the server shows them. */
const setsOfApi = async (wanted: string) => {
  const { json } = await sendRequest(`${server.url}/api/sets`, { token });
  return (json.items as { name: string }[]).filter(({ name }) => name === wanted);
};

test.concurrent('saves and shows a set that all users see', async () => {
  const file = join(sandbox.folder, 'rule.json');
  await writeFile(file, JSON.stringify(games));
  const saved = await sets('save', 'All games', '--rule', file, '--json');
  const { id, ...set } = JSON.parse(saved.stdout);
  const expected = { name: 'All games', owner: null, shared: true, rule: games, prefer: null };
  expect(set).toEqual({ ...expected, count: 0 });
  expect(await setsOfApi('All games')).toEqual([{ id, ...set }]);
  const shown = await sets('show', 'All games');
  const rule = JSON.stringify(games, null, 2);
  expect(shown.stdout).toBe(`${id}\tAll games\t\tshared\t0 releases\n${rule}\n`);
  expect(JSON.parse((await sets('show', `${id}`, '--json')).stdout)).toEqual({ id, ...set });
});

test.concurrent('changes the rule of a set, and removes the set', async () => {
  await save(games, 'Mine');
  const rule = { not: games };
  const { id, ...changed } = JSON.parse((await save(rule, 'Mine', '--json')).stdout);
  expect(changed).toMatchObject({ owner: null, rule });
  expect((await sets('list')).stdout).toContain(`${id}\tMine\t\tshared\t0 releases\n`);
  expect(await sets('remove', `${id}`)).toMatchObject({ code: 0, stdout: 'removed Mine\n' });
  expect(await setsOfApi('Mine')).toEqual([]);
});

test.concurrent('lists the ids if a name is that of several sets', async () => {
  await save(games, 'Twice');
  await save(games, 'Twice', '--owner', 'admin');
  const all = JSON.parse((await sets('list', '--json')).stdout) as { name: string; id: number }[];
  const [first, second] = all.filter(({ name }) => name === 'Twice').map(({ id }) => id);
  const line = `several sets are named "Twice": use an id of ${first} (no owner), ${second} (admin)`;
  expect(await sets('remove', 'Twice')).toMatchObject(refused(line));
  expect(await setsOfApi('Twice')).toMatchObject([{ shared: true }, { shared: false }]);
});

test.concurrent('refuses an unknown set, owner or file in one line', async () => {
  expect(await sets('show', 'none')).toMatchObject(
    refused('there is no set "none": "catalog sets list" shows all sets'),
  );
  expect(await save(games, 'A', '--owner', 'nobody')).toMatchObject(
    refused('--owner: there is no user "nobody"'),
  );
  const none = await sets('save', 'A', '--rule', 'none.json');
  expect(none).toMatchObject(refused('--rule: cannot read none.json as JSON'));
});

test.concurrent('refuses an invalid rule or name in one line', async () => {
  expect(await save({ field: 'x', is: 1 }, 'A')).toMatchObject(
    refused('rule: there is no field "x"'),
  );
  expect(await save(games, 'a/b')).toMatchObject(refused('name: must not contain a slash'));
  expect(await sets('save', 'A')).toMatchObject({ code: 2 });
});
