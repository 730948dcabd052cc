import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Ask, type AskOptions, askAt } from '../../support/ask.ts';
import { importGames } from '../../support/dats.ts';
import { eventually } from '../../support/eventually.ts';
import { makePerson } from '../../support/people.ts';

let app: TestApp;
let ask: Ask;
let lock: Database.Database;

beforeAll(async () => {
  app = await startTestApp();
  ask = askAt(app.url);
  await importGames(app, ['One']);
  const form = { bytes: 'x', filename: 'old.zip' };
  await ask('POST', '/api/store/upload', { token: app.adminToken, form });
  lock = new Database(join(app.data, 'catalog.db'));
});
afterAll(async () => {
  lock.close();
  await app.close();
});

test('while another process holds the database: writes 503 `busy`, within 5 s; reads go on', async () => {
  const { token, ...user } = await makePerson(app, 'admin');
  const login = { username: user.username, password: user.username };
  const writes: [string, string, AskOptions][] = [
    ['POST', '/api/auth/login', { json: login }],
    ['POST', '/api/users', { json: { username: 'late', password: 'p' } }],
    ['PATCH', `/api/users/${user.id}`, { json: { is_active: false } }],
    ['DELETE', `/api/users/${user.id + 1}`, {}],
    ['PATCH', '/api/releases/1', { json: { name: 'Other' } }],
    ['POST', '/api/cover/1', { form: { bytes: 'x' } }],
    ['POST', '/api/store/upload', { form: { bytes: 'new', filename: 'old.zip' } }],
    ['DELETE', '/api/store/games/old.zip', {}],
  ];
  const reads = ['/api/releases', '/api/auth/me', '/api/users', '/api/health'];
  const download = '/api/store/download/games/old.zip';
  lock.exec('BEGIN IMMEDIATE');
  const started = performance.now();
  const written = Promise.all(
    writes.map(([method, path, how]) => ask(method, path, { token: app.adminToken, ...how })),
  );
  for (const path of [...reads, download]) {
    const before = performance.now();
    expect([path, (await ask('GET', path, { token })).status]).toEqual([path, 200]);
    expect(performance.now() - before).toBeLessThan(1_000);
  }
  for (const answer of await written) {
    expect([answer.status, answer.json]).toEqual([503, { detail: 'busy' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(performance.now() - started).toBeLessThan(6_000);
  lock.exec('ROLLBACK');

  // Nothing happened, nothing is left, and the download is counted after all.
  const stats = async () => (await ask('GET', '/api/stats', { token })).json;
  expect(await eventually(stats, ({ downloads }) => downloads === 1)).toMatchObject({
    downloads: 1,
    users: 2,
    covers: 0,
  });
  expect((await ask('GET', download, { token })).text).toBe('x');
  expect((await ask('GET', '/api/releases/1')).json.name).toBe('One');
  expect(await readdir(join(app.data, 'tmp'))).toEqual([]);
  expect((await ask('POST', '/api/auth/login', { json: login })).status).toBe(200);
});
