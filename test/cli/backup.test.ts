import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ask, logIn } from '../support/client.ts';
import { useSandbox } from '../support/process.ts';

test('a copy made while the server writes is whole, and starts as a data folder', async () => {
  const sandbox = await useSandbox();
  const server = await sandbox.serve();
  const token = await logIn(server.url);
  let created = 0;
  let isDone = false;
  const writing = (async () => {
    for (; !isDone; created++) {
      const json = { label: `token ${created}` };
      const made = await ask(`${server.url}/api/auth/tokens`, { token, json });
      expect(made.status).toBe(200);
      // So that there are never too many.
      const path = `${server.url}/api/auth/tokens/${made.json.id}`;
      expect((await ask(path, { method: 'DELETE', token })).status).toBe(200);
    }
  })();
  const folder = join(sandbox.folder, 'restored');
  await mkdir(folder);
  const copy = join(folder, 'catalog.db');
  for (let i = 0; i < 3; i++) {
    const file = i === 0 ? copy : `${copy}.${i}`;
    const before = created;
    const { code, stdout, stderr } = await sandbox.run(['backup', file]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `wrote ${file}\n`, stderr: '' });
    const tokens = inspect(file) - 1; // that of the login
    expect(tokens).toBeGreaterThanOrEqual(before);
    expect(tokens).toBeLessThanOrEqual(created + 1);
  }
  isDone = true;
  await writing;
  expect(created).toBeGreaterThan(10);
  expect((await readdir(folder)).sort()).toEqual(['catalog.db', 'catalog.db.1', 'catalog.db.2']);
  expect((await stat(copy)).mode & 0o777).toBe(0o600); // it holds password hashes

  const restored = await sandbox.serve(['--data', folder]);
  expect((await ask(`${restored.url}/api/auth/me`, { token })).status).toBe(200);
  expect(restored.stdout).not.toContain('password');
});

test('an existing file is refused and left as it is', async () => {
  const sandbox = await useSandbox();
  await sandbox.begin();
  const file = join(sandbox.folder, 'there');
  await writeFile(file, 'precious');
  const { code, stderr } = await sandbox.run(['backup', file]);
  expect(stderr).toBe(`catalog: ${file} exists already: give another name for the backup\n`);
  expect(code).toBe(1);
  expect((await stat(file)).size).toBe('precious'.length);
  expect((await readdir(sandbox.folder)).sort()).toEqual(['data', 'there']);
});

test('a folder that is not there is one line that names it', async () => {
  const sandbox = await useSandbox();
  await sandbox.begin();
  const folder = join(sandbox.folder, 'no');
  const { code, stderr } = await sandbox.run(['backup', join(folder, 'where.db')]);
  expect(stderr).toBe(`catalog: cannot write to ${folder}: no such file or directory\n`);
  expect(code).toBe(1);
});

test('a name that is long, but not too long, is taken; one that is too long is named', async () => {
  const sandbox = await useSandbox();
  await sandbox.begin();
  const longest = 'x'.repeat(255);
  expect(await sandbox.run(['backup', longest])).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await sandbox.run(['backup', `${longest}y`]);
  expect(stderr).toMatch(/^catalog: cannot write to \S+\/x+y: name too long\n$/);
  expect(code).toBe(1);
  expect((await readdir(sandbox.folder)).sort()).toEqual(['data', longest]);
});

test('"-" is no file', async () => {
  const sandbox = await useSandbox();
  await sandbox.begin();
  const { code, stdout, stderr } = await sandbox.run(['backup', '-']);
  expect(stderr).toMatch(/^catalog: "-": .+\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(await readdir(sandbox.folder)).toEqual(['data']);
  expect(await sandbox.run(['backup', './-'])).toMatchObject({ code: 0 });
});

/** Checks a copy without changing it, and returns how many tokens are in it. */
function inspect(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('journal_mode', { simple: true })).toBe('delete');
    const row = database.prepare<[], { n: number }>('select count(*) as n from token').get();
    return row?.n ?? 0;
  } finally {
    database.close();
  }
}
