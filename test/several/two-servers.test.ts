/** @module-tag full */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { coversOf, useSource } from '../covers/covers-fixture.ts';
import { testedDatabases } from '../support/data/databases.ts';
import {
  type ClientRequestOptions,
  type ClientResponse,
  fileForm,
  logIn,
  sendRequest,
} from '../support/http/client.ts';
import { createRequester } from '../support/http/requester.ts';
import { tusClient } from '../support/http/tus.ts';
import {
  openSandbox,
  type Sandbox,
  type Server,
  useSandbox,
  waitForUrl,
} from '../support/process.ts';

const rounds = Array.from({ length: 10 }, (_, round) => round);
describe.each(testedDatabases())('$name: a pair of servers', ({ make }) => {
  let database: Awaited<ReturnType<typeof make>>;
  let sandbox: Sandbox;
  let servers: Server[];
  let token: string;
  beforeAll(async () => {
    database = await make();
    sandbox = await openSandbox(undefined, database.databaseUrl);
    const args = ['--log-level', 'warn', '--trusted-proxy', '127.0.0.1'];
    servers = [await sandbox.serve(args), await sandbox.serve(args)];
    token = await logIn(urlOf(0));
  });
  afterAll(async () => {
    await sandbox.close();
    await database.drop();
  });

  /** Creates another catalogue that only one test uses. */
  async function useFresh() {
    const { databaseUrl, drop } = await make();
    onTestFinished(drop);
    return useSandbox(undefined, databaseUrl);
  }

  /** Returns the URL of one server for even numbers, and of the other server for odd numbers. */
  const urlOf = (turn: number) => servers[turn % 2]?.url ?? '';
  const as = (
    turn: number,
    path: string,
    question: ClientRequestOptions = {},
  ): Promise<ClientResponse> => sendRequest(`${urlOf(turn)}/api/${path}`, { token, ...question });

  test('checks only 10 of 30 wrong logins on both servers, in each of two rounds', async () => {
    for (const round of rounds.slice(0, 2)) {
      const headers = { 'x-forwarded-for': `192.0.2.${round}` };
      const json = { username: 'admin', password: 'wrong' };
      const tries = Array.from({ length: 30 }, (_, turn) => {
        return as(turn, 'auth/login', { headers, json });
      });
      const statuses = (await Promise.all(tries)).map(({ status }) => status).toSorted();
      expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
      const right = { username: 'admin', password: 'admin-password' };
      const statusesAfter = new Set<number>();
      const waits = async () => {
        const blocked = await as(round, 'auth/login', { headers, json: right });
        statusesAfter.add(blocked.status);
        return Number(blocked.headers['retry-after']);
      };
      // A failure is recorded after its response. Until then, the attempt counts as running and can
      // end at any moment.
      await expect.poll(waits).toBeGreaterThan(600);
      expect([...statusesAfter]).toEqual([429]);
    }
  });

  test('clears failed logins on both servers after a login succeeds on one', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.100' };
    // Uses a new user, because the name of the admin already has 20 failures.
    const json = { username: 'cleared', password: 'right', role: 'user' };
    expect((await as(0, 'users', { json })).status).toBe(200);
    const tryOnce = async (turn: number, password: string) =>
      (await as(turn, 'auth/login', { headers, json: { username: 'cleared', password } })).status;
    for (let turn = 0; turn < 9; turn += 1) expect(await tryOnce(turn, 'wrong')).toBe(401);
    expect(await tryOnce(0, 'right')).toBe(200);
    for (let turn = 0; turn < 10; turn += 1) expect(await tryOnce(turn, 'wrong')).toBe(401);
    expect(await tryOnce(1, 'right')).toBe(429);
  });

  test('keeps one admin when two admins are demoted at once on different servers', async () => {
    const json = { username: 'second', password: 'p', role: 'admin' };
    const { id } = (await as(0, 'users', { json })).json;
    const demote = (turn: number, user: number) =>
      as(turn, `users/${user}`, { method: 'PATCH', json: { role: 'editor' } });
    const second = await logIn(urlOf(1), 'second', 'p');
    for (const round of rounds) {
      const responses = await Promise.all([demote(round, 1), demote(round + 1, id)]);
      const statuses = responses.map(({ status }) => status);
      // The request of the demoted admin may be second. In this case, the request is refused.
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      const [admin, other] = statuses[0] === 200 ? [second, 1] : [token, id];
      const back = { method: 'PATCH', json: { role: 'admin' }, token: admin };
      expect((await as(round, `users/${other}`, back)).status).toBe(200);
    }
  });

  test('shows a file stored on one server in the next response of the other', async () => {
    for (const round of rounds) {
      const name = `game ${round}.iso`;
      expect((await as(round, 'store/upload', fileForm(name, name))).status).toBe(200);
      const listed = (await as(round + 1, 'store?system=games')).json.items;
      expect(listed.map((item: { name: string }) => item.name)).toContain(name);
    }
  });

  test('accepts an upload on either server and never mixes two concurrent chunks', async () => {
    const [one, other] = [0, 1].map((turn) => tusClient(createRequester(urlOf(turn)), token));
    if (one === undefined || other === undefined) throw new Error('two servers');
    const part = (text: string) => Buffer.alloc(1024 * 1024, text);
    const uploadUrl = await one.createUpload(6 * 1024 * 1024, {
      filename: 'both.iso',
      system: 'games',
    });
    for (let at = 0; at < 6; at += 1) {
      const offset = at * 1024 * 1024;
      // One of the two requests writes. The other request then finds a different offset.
      const responses = await Promise.all([
        one.send(uploadUrl, offset, part(`a${at}`)),
        other.send(uploadUrl, offset, part(`b${at}`)),
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    }
    expect(await other.waitUntilChecked(uploadUrl)).toMatchObject({ state: 'done' });
    const stored = await sendRequest(`${urlOf(0)}/api/store/download/games/both.iso`, { token });
    expect(stored.text).toMatch(/^(?:(?:a0)+|(?:b0)+)(?:(?:a1)+|(?:b1)+)(?:(?:a2)+|(?:b2)+)/);
    expect(stored.text).toHaveLength(6 * 1024 * 1024);
  });

  test('shows a job on one server that was started on the other', async () => {
    const start = (turn: number) => as(turn, 'jobs', { json: { kind: 'verify', options: {} } });
    const { json, status } = await start(0);
    expect(status).toBe(200);
    expect((await as(1, `jobs/${json.id}`)).json).toMatchObject({ kind: 'verify' });
    const state = async () => (await as(1, `jobs/${json.id}`)).json.state;
    await expect.poll(state).not.toBe('running');
  });

  test('creates one first admin when two servers start at once on a new folder', async () => {
    const fresh = await useFresh();
    const both = await Promise.all([fresh.serve(), fresh.serve()]);
    const created = both.filter(({ stdout }) => stdout.includes('Created the first account'));
    expect(created).toHaveLength(1);
    const list = await fresh.run(['users', 'list', '--json']);
    expect(JSON.parse(list.stdout)).toHaveLength(1);
  });

  test('fetches a cover once, and refreshes the library for both, in the minimal API', async () => {
    const fresh = await useFresh();
    const games = join(fresh.folder, 'games');
    await mkdir(games);
    const dat = join(fresh.folder, 'one.dat');
    const roms = ['One', 'Two', 'Three'].map(
      (name, at) =>
        `<game name="${name}"><description>${name}</description><rom name="${name}.bin" size="1" crc="0000000${at}"/></game>`,
    );
    const head = '<header><name>Test - Console</name><version>1</version></header>';
    await writeFile(dat, `<?xml version="1.0"?><datafile>${head}${roms.join('')}</datafile>`);
    expect(await fresh.run(['import', dat])).toMatchObject({ code: 0 });
    let requestCount = 0;
    const covers = coversOf('One', 'Two', 'Three');
    const source = await useSource((request, response) => {
      requestCount += 1;
      setTimeout(() => covers(request, response), 100);
    });
    const args = [
      'serve',
      '--minimal',
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      '--games-root',
      games,
    ];
    const both = [0, 1].map(() => fresh.start(args, { CATALOG_COVER_SOURCE: source.base }));
    const urls: string[] = [];
    for (const server of both) urls.push(await waitForUrl(server));
    for (const id of [1, 2, 3]) {
      const before = requestCount;
      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, turn) => sendRequest(`${urls[turn % 2]}/api/cover/${id}`)),
      );
      expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(requestCount).toBe(before + 1);
    }
    const namesAt = async (turn: number, query = '') => {
      const { json } = await sendRequest(`${urls[turn % 2]}/api/library${query}`);
      return json.items.map((item: { name: string }) => item.name);
    };
    expect(await namesAt(0)).toEqual([]);
    expect(await namesAt(1)).toEqual([]);
    for (const round of rounds) {
      await writeFile(join(games, `${round}.iso`), `${round}`);
      expect(await namesAt(round, '?refresh=1')).toHaveLength(round + 1);
      expect(await namesAt(round + 1)).toHaveLength(round + 1);
    }
  });
});
