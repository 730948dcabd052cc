/** @module-tag full */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyDatabase } from '../cli/copies/copied-catalogue.ts';
import { writeBigDat } from '../support/data/big-dat.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { type ProgramResult, type Sandbox, useSandbox } from '../support/process.ts';

/** Number of releases. Reading them takes long enough for other processes to write meanwhile. */
const releases = 6_000;

const hasServer = testedDatabases().length > 1;

describe.runIf(hasServer)('the command line during writes to a database server', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await useSandbox(undefined, await emptyDatabase());
    const dat = join(sandbox.folder, 'a.dat');
    await writeBigDat(dat, releases);
    expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
  });

  test('copies all writes up to one moment and none after it', async () => {
    const to = join(sandbox.folder, 'to');
    const { ended, before, after } = await whileWriting(['copy', '--to', to], { uploads: false });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { moved } = readCopy(to);
    expect(moved).toBeGreaterThanOrEqual(before);
    expect(moved).toBeLessThan(after);
  });

  test('backs up all writes up to one moment, with their files', async () => {
    const file = join(sandbox.folder, 'a.tar');
    const backup = ['backup', file, '--store'];
    const { ended, before, after } = await whileWriting(backup, { uploads: true });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const to = join(sandbox.folder, 'to');
    const env = { CATALOG_DATABASE: '' };
    const restored = await sandbox.run(['restore', file, '--data', to], { env });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await recover(to);
    const { moved, uploaded } = readCopy(to);
    expect(moved).toBeGreaterThanOrEqual(before);
    expect(moved).toBeLessThan(after);
    // Release number n is changed before archive number n is uploaded.
    expect(moved - uploaded.length).toBeOneOf([0, 1]);
    expect((await readdir(join(to, 'store/games'))).sort()).toEqual(uploaded);
    for (const name of uploaded) {
      expect(await readFile(join(to, 'store/games', name), 'utf8')).toBe(`bytes of ${name}`);
    }
    const verified = await sandbox.run(['verify', '--store', '--data', to], { env });
    expect(verified).toMatchObject({ code: 0 });
  });

  /**
   * Serves a restored folder until the upload in progress is completed or discarded, as after a
   * crash. The copy may contain the upload's file without the upload's row.
   */
  async function recover(data: string): Promise<void> {
    const { stop } = await sandbox.serve(['--data', data], { CATALOG_DATABASE: '' });
    const database = new Database(join(data, 'catalog.db'), { readonly: true });
    const left = database.prepare<[], number>('SELECT count(*) FROM file_reservation').pluck();
    await expect.poll(() => left.get()).toBe(0);
    database.close();
    await stop();
  }

  /**
   * Runs a command while a server moves the releases to the region `Moved`, one at a time. `before`
   * is the number of releases moved before the command began. `after` is the number of moves that
   * had begun when the command ended.
   */
  async function whileWriting(
    command: readonly string[],
    { uploads }: { uploads: boolean },
  ): Promise<{ ended: ProgramResult; before: number; after: number }> {
    const { url, stop } = await sandbox.serve();
    const token = await logIn(url);
    let begun = 0;
    const move = async () => {
      begun += 1;
      const change = { method: 'PATCH', token, json: { region: 'Moved' } };
      expect((await sendRequest(`${url}/api/releases/${begun}`, change)).status).toBe(200);
      if (!uploads) return;
      const name = `${begun}.zip`;
      const form = fileForm(name, `bytes of ${name}`);
      expect((await sendRequest(`${url}/api/store/upload`, { token, ...form })).status).toBe(200);
    };
    for (let at = 0; at < 10; at += 1) await move();
    const before = begun;
    const program = sandbox.start(command);
    while (!program.hasEnded && begun < releases) await move();
    const ended = await program.ended;
    await stop();
    return { ended, before, after: begun };
  }
});

/**
 * Returns the moved releases and the uploads in a copied database. Checks that all its tables are
 * consistent.
 */
function readCopy(data: string): { moved: number; uploaded: string[] } {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  const all = (select: string) => database.prepare<[], string | number>(select).pluck().all();
  const moved = all(`SELECT id FROM release WHERE region = 'Moved' ORDER BY id`);
  expect(moved).toEqual(moved.map((_, index) => index + 1)); // the lowest ids, without gaps
  expect(all(`SELECT sum(releases) FROM release_count WHERE region = 'Moved'`)).toEqual([
    moved.length,
  ]);
  const edits = `SELECT release_id FROM release_edit ORDER BY release_id`;
  expect(all(edits)).toEqual(moved);
  const targets = (action: string) =>
    all(`SELECT target FROM audit WHERE action = '${action}' ORDER BY id`);
  expect(targets('release.edit')).toEqual(moved.map((id) => `release/${id}`));
  const uploaded = all('SELECT name FROM stored_file ORDER BY name').map(String);
  expect(targets('archive.upload').toSorted()).toEqual(
    uploaded.map((name) => `store/games/${name}`).toSorted(),
  );
  database.close();
  return { moved: moved.length, uploaded };
}
