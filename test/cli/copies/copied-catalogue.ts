import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { fileForm, logIn, sendRequest } from '../../support/http/client.ts';
import type { Sandbox } from '../../support/process.ts';
import { pngText } from './backup-content.ts';

const server = testedDatabases().find(({ name }) => name !== 'SQLite');

/**
 * Creates a catalogue in the data folder, with three releases, two covers and an archive. Its
 * server has stopped when this returns.
 */
export async function fill(sandbox: Sandbox): Promise<void> {
  const dat = join(sandbox.folder, 'a.dat');
  await writeFile(
    dat,
    `<datafile><header><name>Sony - PlayStation</name></header>
    ${[1, 2, 3].map((n) => `<game name="Game ${n}"><rom name="${n}" size="${n}" crc="0000000${n}"/></game>`).join('')}
    </datafile>`,
  );
  expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
  const { url, stop } = await sandbox.serve();
  const token = await logIn(url);
  for (const [path, form] of [
    ['cover/1', fileForm('c', pngText('one'))],
    ['cover/3', fileForm('c', pngText('three'))],
    ['store/upload', fileForm('大神.iso', 'an archive')],
  ] as const) {
    expect((await sendRequest(`${url}/api/${path}`, { token, ...form })).status).toBe(200);
  }
  await stop();
}

/** Starts a server and returns its responses to a client's requests. Then stops the server. */
export async function readResponses(sandbox: Sandbox, args: string[], env: Record<string, string>) {
  const { url, stop } = await sandbox.serve(args, env);
  const token = await logIn(url);
  const paths = ['releases?limit=100', 'releases/3', 'store?system=games', 'platforms', 'imports'];
  const got = [];
  for (const path of paths) {
    const { status, json } = await sendRequest(`${url}/api/${path}`, { token });
    expect([path, status]).toEqual([path, 200]);
    got.push(json);
  }
  const cover = await sendRequest(`${url}/api/cover/3`, { token });
  const archive = await sendRequest(`${url}/api/store/download/games/${encodeURI('大神.iso')}`, {
    token,
  });
  await stop();
  return { got, cover: cover.text, archive: archive.text, time: archive.headers['last-modified'] };
}

/** Returns the URL of a new database without tables. */
export async function emptyDatabase(): Promise<string> {
  const { databaseUrl, drop } = (await server?.make()) ?? { databaseUrl: '', drop: async () => {} };
  onTestFinished(drop);
  await query(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return databaseUrl;
}

export async function query(databaseUrl: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return client.query(text).finally(() => client.end());
}
