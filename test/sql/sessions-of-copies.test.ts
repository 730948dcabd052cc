/** @module-tag full */

import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  fillPostgres,
  openPostgres,
  reservePostgresTarget,
  schemaVersion,
} from '../../src/sql/engine/open.ts';
import { rowTables } from '../../src/sql/rows/row-tables.ts';
import { pollOptions } from '../support/poll-options.ts';
import { makeClone } from '../support/postgres/clones.ts';
import { installations } from '../support/postgres/installations.ts';

/** Time after which the server ends an unresponsive session with locks, in milliseconds. */
const SILENT_MS = 15_000;

const options = { version: schemaVersion, tables: rowTables };
const tcpSockets = '/proc/net/tcp';
const socketsSkipReason = existsSync(tcpSockets) ? '' : `(skipped: there is no ${tcpSockets})`;

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}
const usable = installations.filter(({ skipReason }) => skipReason === null);

describe.each(usable)('the sessions of a copy on PostgreSQL $version', (installation) => {
  async function useClone() {
    const { databaseUrl, drop } = await makeClone(installation);
    onTestFinished(drop);
    const admin = new pg.Client(databaseUrl);
    await admin.connect();
    onTestFinished(() => admin.end());
    const query = async (text: string) => (await admin.query(text)).rows;
    return { databaseUrl, query };
  }

  async function useEngine() {
    const { databaseUrl, query } = await useClone();
    const engine = await openPostgres(databaseUrl);
    onTestFinished(() => engine.close());
    return { engine, query };
  }

  async function useEmpty() {
    const { databaseUrl, query } = await useClone();
    await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    return { databaseUrl, query };
  }

  test('fail the copy if the session that locks the file records is lost', async () => {
    const { engine, query } = await useEngine();
    const work = vi.fn(async () => undefined);
    const taking = engine.snapshot(work, async () => {
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${isHolder}`;
      expect(await query(ended)).toHaveLength(1);
    });
    await expect(taking).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/^cannot reach the database postgres:\S+: terminating/),
    });
    expect(work).not.toHaveBeenCalled();
  });

  // This test takes long, so it runs on only one server version.
  if (installation === usable[0]) {
    test('end after their process is blocked for 15 seconds, and stay while it works', async () => {
      const { engine, query } = await useEngine();
      const work = vi.fn(async () => undefined);
      const lastQuery = `SELECT query_start AS at FROM pg_stat_activity WHERE ${isHolder}`;
      const taking = engine.snapshot(work, async () => {
        const [first] = await query(lastQuery);
        await vi.waitUntil(async () => (await query(lastQuery))[0]?.at > first?.at, SILENT_MS);
        // Blocks the whole process.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SILENT_MS + 2_000);
        expect(await query(lastQuery)).toEqual([]);
      });
      await expect(taking).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/idle-in-transaction timeout$/),
      });
      expect(work).not.toHaveBeenCalled();
    }, 60_000);
  }

  test.skipIf(socketsSkipReason !== '')(
    `are probed by the server at least every 10 seconds during transactions ${socketsSkipReason}`,
    async () => {
      const { engine, query } = await useEngine();
      const to = await useEmpty();
      await engine.snapshot(
        async () => {
          await expectWatched(query, 1);
          await fillPostgres(to.databaseUrl, options, () => expectWatched(to.query, 1));
        },
        () => expectWatched(query, 2),
      );
    },
  );

  test('lock the target database even before its extension is committed', async () => {
    const { databaseUrl } = await useEmpty();
    const held = await reservePostgresTarget(databaseUrl);
    onTestFinished(() => held.release());
    await fillPostgres(databaseUrl, options, async () => {
      await expect(reservePostgresTarget(databaseUrl)).rejects.toThrow(
        /^another process is copying or restoring to postgres:\S+: wait until it ends$/,
      );
    });
  });
});

/** SQL condition: true for the session that has the lock of a snapshot. */
const isHolder = `pid IN (SELECT pid FROM pg_locks WHERE mode = 'ShareLock' AND granted
  AND relation = 'stored_file'::regclass)`;

/**
 * Expects `count` sessions. For each, the server must check within 10 s whether the client still
 * exists.
 */
async function expectWatched(query: (text: string) => Promise<pg.QueryResultRow[]>, count: number) {
  const select = `SELECT client_port AS client, inet_server_port() AS server FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;
  const sessions = await query(select);
  expect(sessions).toHaveLength(count);
  for (const { client, server } of sessions) {
    const seconds = await vi.waitFor(async () => {
      const found = await secondsUntilKeepalive(server, client);
      expect(found).not.toBeNull();
      return found;
    }, pollOptions);
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThanOrEqual(10);
  }
}

/**
 * Returns the seconds until the next keepalive of an idle connection. Source: proc(5) and
 * proc_net_tcp. Timer 02 is the keepalive timer, in hundredths of a second.
 */
function secondsUntilKeepalive(from: number, to: number): number | null {
  const end = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const line = new RegExp(`: ${end(from)} ${end(to)} \\S+ \\S+ 02:(\\S+) `);
  const hundredths = line.exec(readFileSync(tcpSockets, 'latin1'))?.[1];
  return hundredths === undefined ? null : Number.parseInt(hundredths, 16) / 100;
}
