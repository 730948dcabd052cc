import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { logIn, sendRequest } from '../support/http/client.ts';
import { useSandbox } from '../support/process.ts';

describe('the command line', () => {
  test('prints the audit newest first, filtered by user and time, as rows or as JSON', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const database = new Database(join(sandbox.data, 'catalog.db'));
    const insert = database.prepare(
      `INSERT INTO audit (at, actor_kind, username, address, action, target) VALUES (?, 'user', ?, '10.0.0.1', 'x', ?)`,
    );
    database.exec('DELETE FROM audit');
    const days = 1500;
    const at = (i: number) => new Date(Date.UTC(2020, 0, 1) + i * 86_400_000).toISOString();
    database.transaction(() => {
      for (let i = 0; i < days; i++) insert.run(at(i), i % 2 ? 'ann' : 'bo\x1bb', `t${i}`);
    })();
    database.close();
    const all = await sandbox.run(['audit']);
    expect(all).toMatchObject({ code: 0, stderr: '' });
    const lines = all.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(days);
    expect(lines[0]).toBe(`${at(days - 1)}\tann\t10.0.0.1\tx\tt${days - 1}\t`);
    expect(lines[1]).toContain('\tbo?b\t');
    const since = ['--since', at(days - 10).slice(0, 10)];
    const some = await sandbox.run(['audit', '--user', 'ann', '--json', ...since]);
    const targets = JSON.parse(some.stdout).map(({ target }: { target: string }) => target);
    expect(targets).toEqual([1499, 1497, 1495, 1493, 1491].map((i) => `t${i}`));
    expect((await sandbox.run(['audit', '--json', '--user', 'nobody'])).stdout).toBe('[]\n');
    expect((await sandbox.run(['audit', '--since', '2d'])).stdout).toBe('');
    expect(await sandbox.run(['audit', '--since', 'noon'])).toMatchObject({ code: 2 });
    const read = await sandbox.shell('catalog audit | head -1; echo "$' + '{PIPESTATUS[0]}"').ended;
    expect(read.stdout).toBe(`${lines[0]}\n0\n`);
  }, 60_000);

  test('deletes entries older than serve --keep-*, and keeps the download count', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const database = new Database(join(sandbox.data, 'catalog.db'));
    onTestFinished(() => void database.close());
    const event = `INSERT INTO download_event (area, name, bytes, created_at) VALUES ('games', ?, 1, ?)`;
    const entry = `INSERT INTO audit (at, actor_kind, action, target) VALUES (?, 'system', 'x', ?)`;
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    for (const hours of [3, 1]) {
      database.prepare(event).run(`${hours}.zip`, hoursAgo(hours));
      database.prepare(entry).run(hoursAgo(hours), `${hours}`);
    }
    const server = await sandbox.serve(['--keep-audit', '2h', '--keep-downloads', '2h']);
    const token = await logIn(server.url, 'first', 'first');
    const audit = async () => {
      const { json } = await sendRequest(`${server.url}/api/audit?action=x`, { token });
      return (json.items as { target: string }[]).map(({ target }) => target);
    };
    await expect.poll(audit).toEqual(['1']);
    const stats = async () => (await sendRequest(`${server.url}/api/stats`, { token })).json;
    await expect.poll(stats).toMatchObject({ downloads: 2, recent: [{ name: '1.zip' }] });
  });
});
