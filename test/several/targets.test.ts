/** @module-tag full */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCliLibrary } from '../builds/cli-library.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const onServers = testedDatabases().filter(({ name }) => name !== 'SQLite');

describe('the targets of several hosts', () => {
  test.each(onServers)(
    'are built by the host that has them: $name',
    { timeout: 180_000 },
    async ({ make }) => {
      const { databaseUrl, drop } = await make();
      onTestFinished(drop);
      const [one, other] = [
        await useSandbox(undefined, databaseUrl),
        await useSandbox(undefined, databaseUrl),
      ];
      const { root } = await createCliLibrary(one, { 'Ant (USA)': 'ant' });
      const stick = join(one.folder, 'stick');
      await mkdir(stick);
      const having = await one.serve(['--games-root', root, '--target', `stick=${stick}`]);
      const server = await other.serve();
      const token = await logIn(server.url, 'first', 'first');
      const get = async (path: string, { url } = server) =>
        (await sendRequest(`${url}/api${path}`, { token })).json;

      const elsewhere = {
        host: expect.stringMatching(/\.[0-9a-f]{16}$/),
        path: null,
        present: null,
      };
      const none = { last_build: null };
      expect((await get('/targets')).items).toEqual([{ name: 'stick', ...elsewhere, ...none }]);
      const here = { host: null, path: stick, present: true };
      expect((await get('/targets', having)).items).toEqual([{ name: 'stick', ...here, ...none }]);

      const [{ id: set }] = (await get('/sets')).items;
      const options = { set, profile: 'batocera', target: 'stick' };
      const start = async (kind: string, given: object) => {
        const json = { kind, options: given };
        const started = await sendRequest(`${server.url}/api/jobs`, { token, json });
        expect(started.status).toBe(200);
        return () => get(`/jobs/${started.json.id}`);
      };
      const ended = { timeout: 60_000 };
      const build = await start('build', options);
      await expect.poll(build, ended).toMatchObject({
        ...{ state: 'done', attempt: 1, attempts: 3 },
        report: { add_files: 2, unwritten: [] },
      });
      expect(await readdir(join(stick, 'gb'))).toEqual(['Ant (USA).gb', 'gamelist.xml']);
      const [listed] = (await get('/targets')).items;
      expect(listed).toMatchObject({ name: 'stick', last_build: { set: 'All', files: 2 } });
      const undo = await start('build-undo', { target: 'stick' });
      await expect.poll(undo, ended).toMatchObject({ state: 'done', report: { deleted_files: 2 } });

      // The servers do not list a target that its host no longer has.
      await having.stop();
      await (await one.serve(['--games-root', root])).stop();
      expect((await get('/targets')).items).toEqual([]);
      const json = { kind: 'build', options };
      const refused = await sendRequest(`${server.url}/api/jobs`, { token, json });
      expect([refused.status, refused.json.detail]).toEqual([
        422,
        'target: there is no target "stick"',
      ]);
    },
  );

  test.each(onServers)(
    'are listed while their host is seen, and belong to one host per name: $name',
    { timeout: 180_000 },
    async ({ make }) => {
      const { databaseUrl, drop } = await make();
      onTestFinished(drop);
      const client = new pg.Client(databaseUrl);
      await client.connect();
      onTestFinished(() => client.end());
      const sandboxes = [];
      for (let i = 0; i < 3; i += 1) sandboxes.push(await useSandbox(undefined, databaseUrl));
      const [one, other, third] = sandboxes as [Sandbox, Sandbox, Sandbox];
      await one.createDataFolder();
      const target = async ({ folder }: Sandbox) => {
        await mkdir(join(folder, 'stick'), { recursive: true });
        return ['--target', `stick=${join(folder, 'stick')}`];
      };
      const having = await one.serve(await target(one));
      const server = await third.serve();
      const token = await logIn(server.url, 'first', 'first');
      const names = async ({ url }: { url: string } = server) => {
        const { items } = (await sendRequest(`${url}/api/targets`, { token })).json;
        return items.map(({ name, host }: { name: string; host: string | null }) => [name, host]);
      };
      const rows = async () =>
        (await client.query('SELECT host, last_build FROM build_target')).rows;
      const [[, host = '']] = await names();
      const refusal = `--target: "stick" is a target of the host ${host}, which was seen in`;
      const refused = await other.start(['serve', '--port', '0', ...(await target(other))]).ended;
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(refusal)]);
      expect(await names(having)).toEqual([['stick', null]]);

      // Simulate that the host stalled and has not been seen for a while.
      await client.query(`UPDATE build_target SET seen_at = seen_at - 200000, last_build = '{}'`);
      expect(await names()).toEqual([]);
      const json = { kind: 'build-undo', options: { target: 'stick' } };
      const unknown = await sendRequest(`${server.url}/api/jobs`, { token, json });
      expect([unknown.status, unknown.json.detail]).toEqual([
        422,
        'target: there is no target "stick"',
      ]);
      const taking = await other.serve(await target(other));
      expect(await rows()).toEqual([{ host: expect.not.stringContaining(host), last_build: null }]);
      // The host that lost the name lists the target of the other host instead of its own.
      const [[, taken = '']] = await names();
      expect(taken).not.toBe(host);
      expect(await names(having)).toEqual([['stick', taken]]);
      await having.stop();
      const back = await one.start(['serve', '--port', '0', ...(await target(one))]).ended;
      expect(back.code).toBe(1);
      expect(await names(taking)).toEqual([['stick', null]]);
    },
  );
});
