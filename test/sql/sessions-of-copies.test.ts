import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../src/sql/open.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { installations } from '../support/postgres/installations.ts';

/** After so long the server ends a session that holds locks and says nothing. */
const SILENT_MS = 15_000;

for (const { version, lack } of installations) {
  if (lack !== null) test.skip(`PostgreSQL ${version} (${lack})`);
}
const usable = installations.filter(({ lack }) => lack === null);

describe.each(usable)('of a copy on PostgreSQL $version', (installation) => {
  async function useClone() {
    const { address, drop } = await makeClone(installation);
    onTestFinished(drop);
    const admin = new pg.Client(address);
    await admin.connect();
    onTestFinished(() => admin.end());
    const ask = async (text: string) => (await admin.query(text)).rows;
    return { address, ask };
  }

  async function useEngine() {
    const { address, ask } = await useClone();
    const engine = await openPostgres(address);
    onTestFinished(() => engine.close());
    return { engine, ask };
  }

  test('the one that keeps files as they are is missed when it is lost', async () => {
    const { engine, ask } = await useEngine();
    const work = vi.fn(async () => undefined);
    const taking = engine.snapshot(work, async () => {
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${isHolder}`;
      expect(await ask(ended)).toHaveLength(1);
    });
    await expect(taking).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/^cannot reach the database postgres:\S+: terminating/),
    });
    expect(work).not.toHaveBeenCalled();
  });

  // It takes long, and one version is as good as the other.
  const isFirst = installation === usable[0];
  test.runIf(isFirst)(
    'and ends when its process has stopped, though not before',
    async () => {
      const { engine, ask } = await useEngine();
      const work = vi.fn(async () => undefined);
      const asked = `SELECT query_start AS at FROM pg_stat_activity WHERE ${isHolder}`;
      const taking = engine.snapshot(work, async () => {
        const [first] = await ask(asked);
        await vi.waitUntil(async () => (await ask(asked))[0]?.at > first?.at, SILENT_MS);
        // Nothing of this process runs.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SILENT_MS + 2_000);
        expect(await ask(asked)).toEqual([]);
      });
      await expect(taking).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/idle-in-transaction timeout$/),
      });
      expect(work).not.toHaveBeenCalled();
    },
    60_000,
  );
});

/** Of the session that has the lock of a snapshot. */
const isHolder = `pid IN (SELECT pid FROM pg_locks WHERE mode = 'ShareLock' AND granted
  AND relation = 'stored_file'::regclass)`;
