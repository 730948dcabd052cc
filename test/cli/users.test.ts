import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, sendRequest } from '../support/http/client.ts';
import { openSandbox, type Sandbox, type Server, useSandbox } from '../support/process.ts';

let sandbox: Sandbox;
let server: Server;
beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.serve();
});
afterAll(() => sandbox.close());

/** Runs `catalog users ...` while the server runs. */
const users = (args: string[], stdin = '') => sandbox.run(['users', ...args], { stdin });
const add = (name: string, role: string, password = 'a password') =>
  users(['add', name, '--role', role, '--password-stdin'], `${password}\n`);
const ok = (line: string) => ({ code: 0, stdout: `${line}\n`, stderr: '' });
const refused = (line: string, code = 1) => ({ code, stdout: '', stderr: `catalog: ${line}\n` });

describe('catalog users', () => {
  test.concurrent('adds a user who can log in at once', async () => {
    expect(await add('ada', 'editor', 'p w\t"ü')).toMatchObject(ok('created editor ada'));
    const token = await logIn(server.url, 'ada', 'p w\t"ü');
    const me = await sendRequest(`${server.url}/api/auth/me`, { token });
    expect(me.json).toMatchObject({ username: 'ada', role: 'editor', is_active: 1 });
  });

  test.concurrent('reads a password from the first line of input, with or without a line end', {
    tags: ['full'],
  }, async () => {
    const args = (name: string) => ['add', name, '--role', 'user', '--password-stdin'];
    await users(args('line1'), 'first\r\nsecond\n');
    await users(args('line2'), 'first');
    await logIn(server.url, 'line1', 'first');
    await logIn(server.url, 'line2', 'first');
  });

  test.concurrent('trims names and normalises them to NFC', { tags: ['full'] }, async () => {
    expect(await add('  Zoe\u0308 ', 'user')).toMatchObject(ok('created user Zo\u00eb'));
    await logIn(server.url, 'Zo\u00eb', 'a password');
    expect(await users(['deactivate', 'Zoe\u0308'])).toMatchObject({ code: 0 });
  });

  test.concurrent('gives a new account the role user without --role', {
    tags: ['full'],
  }, async () => {
    const args = ['add', 'plain', '--password-stdin'];
    expect(await users(args, 'a password\n')).toMatchObject(ok('created user plain'));
  });

  test.concurrent('changes a role with effect from the next request', async () => {
    await add('rolf', 'user');
    const token = await logIn(server.url, 'rolf', 'a password');
    const imports = () => sendRequest(`${server.url}/api/imports`, { token });
    expect((await imports()).status).toBe(403);
    expect(await users(['role', 'rolf', 'editor'])).toMatchObject(ok('rolf is now editor'));
    expect((await imports()).status).toBe(200);
    expect(await users(['role', 'rolf', 'owner'])).toMatchObject(
      refused('role: "owner" is not a role; use admin, editor, user', 2),
    );
  });

  test.concurrent('refuses invalid accounts in one line', { tags: ['full'] }, async () => {
    await add('twice', 'user');
    expect(await add('twice', 'user')).toMatchObject(
      refused(
        'username already exists: choose another name, or change that account (catalog users --help)',
      ),
    );
    expect(await add('boss', 'owner')).toMatchObject(
      refused('--role: "owner" is not a role; use admin, editor, user', 2),
    );
    expect(await add(' ', 'user')).toMatchObject(refused('username and password are required'));
    expect(await add('empty', 'user', '')).toMatchObject(
      refused('--password-stdin: the first line of standard input is empty'),
    );
    expect(await users(['add', 'prompted', '--role', 'user'])).toMatchObject(
      refused('cannot ask for a password without a terminal: use --password-stdin'),
    );
  });

  test.concurrent('refuses a password as an argument', { tags: ['full'] }, async () => {
    const tries = [
      ['add', 'arg', 'secret', '--role', 'user'],
      ['add', 'arg', '--role', 'user', '--password', 'secret'],
      ['add', 'arg', '--role', 'user', '--password-stdin=secret'],
      ['passwd', 'admin', 'secret'],
    ];
    for (const { code, stderr } of await Promise.all(tries.map((args) => users(args, 'x\n')))) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^catalog: /);
    }
    const { stdout } = await users(['list']);
    expect(stdout).not.toContain('arg\t');
  });

  test.concurrent('changes the password, and revokes tokens only with --revoke-tokens', {
    tags: ['full'],
  }, async () => {
    await add('pat', 'user', 'old');
    const token = await logIn(server.url, 'pat', 'old');
    const me = () => sendRequest(`${server.url}/api/auth/me`, { token });
    expect(await users(['passwd', 'pat', '--password-stdin'], 'new\n')).toMatchObject(
      ok('changed the password of pat'),
    );
    await expect(logIn(server.url, 'pat', 'old')).rejects.toThrow('401');
    await logIn(server.url, 'pat', 'new');
    expect((await me()).status).toBe(200);
    await users(['passwd', 'pat', '--password-stdin', '--revoke-tokens'], 'newer\n');
    expect((await me()).status).toBe(401);
  });

  test.concurrent('rejects the token and password of a deactivated account until it is activated', {
    tags: ['full'],
  }, async () => {
    await add('dora', 'user');
    const token = await logIn(server.url, 'dora', 'a password');
    const me = () => sendRequest(`${server.url}/api/auth/me`, { token });
    expect((await me()).status).toBe(200);
    expect(await users(['deactivate', 'dora'])).toMatchObject(ok('deactivated dora'));
    expect((await me()).status).toBe(401);
    await expect(logIn(server.url, 'dora', 'a password')).rejects.toThrow('401');
    expect(await users(['activate', 'dora'])).toMatchObject(ok('activated dora'));
    expect((await me()).status).toBe(200);
  });

  test.concurrent('removes an account with its tokens', { tags: ['full'] }, async () => {
    await add('rem', 'user');
    const token = await logIn(server.url, 'rem', 'a password');
    expect(await users(['remove', 'rem'])).toMatchObject(ok('removed rem'));
    expect((await sendRequest(`${server.url}/api/auth/me`, { token })).status).toBe(401);
    expect((await users(['list'])).stdout).not.toContain('rem\t');
  });

  test.concurrent('refuses to deactivate, remove or demote the last active admin', {
    tags: ['full'],
  }, async () => {
    await add('spare', 'admin');
    expect((await users(['deactivate', 'spare'])).code).toBe(0);
    const last = refused(
      'last active admin: make another account admin first (catalog users role <name> admin)',
    );
    expect(await users(['deactivate', 'admin'])).toMatchObject(last);
    expect(await users(['remove', 'admin'])).toMatchObject(last);
    expect(await users(['role', 'admin', 'editor'])).toMatchObject(last);
    expect((await users(['list'])).stdout).toMatch(/^admin\tadmin\tactive\t/m);
    await logIn(server.url);
  });

  for (const [command, rest, tags] of [
    ['passwd', ['--password-stdin'], []],
    ['activate', [], ['full']],
    ['deactivate', [], ['full']],
    ['remove', [], ['full']],
    ['role', ['user'], ['full']],
  ] as const) {
    test(`refuses an unknown user in one line: ${command}`, { tags: [...tags] }, async () => {
      expect(await users([command, 'no"body', ...rest], 'x\n')).toMatchObject(
        refused('there is no user "no\\"body": "catalog users list" shows all users'),
      );
    });
  }

  test('lists all users sorted by name, as text and as JSON', { tags: ['full'] }, async () => {
    const own = await useSandbox();
    const run = (args: string[]) => own.run(['users', ...args], { stdin: 'x\n' });
    for (const name of ['b', 'Z', 'a']) {
      await run(['add', name, '--role', 'user', '--password-stdin']);
    }
    await run(['deactivate', 'b']);
    expect((await run(['list'])).stdout).toBe(
      ['Z', 'a', 'b']
        .map((name) => `${name}\tuser\t${name === 'b' ? 'in' : ''}active\tlast login: never\n`)
        .join(''),
    );
    const { stdout } = await run(['list', '--json']);
    expect(stdout).not.toMatch(/argon2|hash|password/);
    expect(JSON.parse(stdout)).toEqual(
      ['Z', 'a', 'b'].map((username) => ({
        id: expect.any(Number),
        username,
        role: 'user',
        is_active: username === 'b' ? 0 : 1,
        created_at: expect.stringMatching(/^\d{4}-.+Z$/),
        last_login_at: null,
      })),
    );
  });

  test('lists the same fields as the API with --json', { tags: ['full'] }, async () => {
    const token = await logIn(server.url);
    const { json } = await sendRequest(`${server.url}/api/users`, { token });
    expect(JSON.parse((await users(['list', '--json'])).stdout)).toEqual(json.items);
  });

  test('prints names without characters that control the terminal or forge lines', {
    tags: ['full'],
  }, async () => {
    const own = await useSandbox();
    const run = (args: string[]) => own.run(['users', ...args], { stdin: 'x\n' });
    const name = 'a\x1b[31m\x9b2J\x07\tb\nroot\tadmin\u202egnp\u2028\u2066\u200f\x7fz';
    const shown = 'a?[31m?2J??b?root?admin?gnp????z';
    const added = await run(['add', name, '--password-stdin']);
    expect(added).toMatchObject(
      refused('username: must not contain control, format or bidirectional characters'),
    );
    // Stores a name that an earlier version accepted.
    expect(await run(['add', 'known', '--password-stdin'])).toMatchObject({ code: 0 });
    const database = new Database(join(own.data, 'catalog.db'));
    database.prepare('UPDATE user SET username = ?').run(name);
    database.close();
    const { stdout } = await run(['list']);
    expect(stdout).toBe(`${shown}\tuser\tactive\tlast login: never\n`);
    const json = (await run(['list', '--json'])).stdout;
    expect(json).not.toMatch(/[^\n -~]/);
    expect(JSON.parse(json)[0].username).toBe(name);
    const unknown = await run(['remove', `${name}!`]);
    expect(unknown.stderr).toMatch(/^catalog: there is no user "a.+"[^\n]+\n$/);
    expect(unknown.stderr).not.toMatch(/[^\n -~]/);
    const wrong = await run(['add', 'x', `--${name}`]);
    expect(wrong.stderr).not.toMatch(/[^\n -~]/);
    expect(wrong.code).toBe(2);
  });
});
