/** @module-tag full */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../support/data/databases.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { createRequester } from '../support/http/requester.ts';
import { tusClient } from '../support/http/tus.ts';
import { useSandbox } from '../support/process.ts';

const onServers = testedDatabases().filter(({ name }) => name !== 'SQLite');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.each(onServers)('$name: work left by a killed server', ({ make }) => {
  test('is finished by servers that started before the killed one counted as dead', async () => {
    const { databaseUrl, drop } = await make();
    onTestFinished(drop);
    const sandbox = await useSandbox(undefined, databaseUrl);
    const [killed, other] = [await sandbox.serve(), await sandbox.serve()];
    const client = new pg.Client(databaseUrl);
    await client.connect();
    onTestFinished(() => client.end().catch(() => undefined));
    const token = await logIn(killed.url);
    const audited = async (target: string) =>
      (await client.query('SELECT FROM audit WHERE target = $1', [target])).rowCount;

    // A change that has its file at the final path but is not confirmed.
    await sendRequest(`${killed.url}/api/store/upload`, { token, ...fileForm('kept.zip', 'kept') });
    const file = { name: 'kept.zip', size: 4, sha256: sha256('kept') };
    const target = 'store/games/kept.zip';
    const mark = 'killed.1.00000000-0000-0000-0000-000000000000';
    await client.query(
      `INSERT INTO file_reservation (target, area, owner, reserved_at, actor, change)
        VALUES ($1, 'games', $2, '2026-01-01T00:00:00.000Z', '{"kind":"system"}', $3)`,
      [target, mark, JSON.stringify({ target, area: 'games', file, gone: [] })],
    );
    await client.query(
      `INSERT INTO lease (name, holder, expires_at) SELECT $1, $2, max(expires_at) + 3600000 FROM lease`,
      [`process/${mark.slice(0, -28)}`, mark],
    );

    // An upload that is being checked. The check waits for a lock.
    await client.query('BEGIN; LOCK TABLE file_reservation IN EXCLUSIVE MODE');
    const tus = tusClient(createRequester(killed.url), token);
    const path = await tus.createUpload(5, { filename: 'left.iso', system: 'games' });
    expect((await tus.send(path, 0, Buffer.from('whole'))).status).toBe(204);
    killed.kill('SIGKILL');
    await killed.ended;
    const successor = await sandbox.serve();
    await client.query('ROLLBACK');
    const left = tusClient(createRequester(other.url), token);
    expect(await left.get(path)).toMatchObject({ state: 'checking' });
    expect(await audited(target)).toBe(1);

    // Expire all leases, as if 30 seconds had passed. Running servers renew their leases.
    await client.query(`UPDATE lease SET expires_at = 1 WHERE name LIKE 'process/%'`);
    await expect.poll(() => audited(target)).toBe(2);
    await expect.poll(async () => (await left.get(path)).state).toBe('done');
    const stored = await sendRequest(`${successor.url}/api/store/download/games/left.iso`, {
      token,
    });
    expect([stored.status, stored.text]).toEqual([200, 'whole']);
    expect(await audited('store/games/left.iso')).toBe(1);
    expect((await client.query('SELECT FROM file_reservation')).rowCount).toBe(0);
  });
});
