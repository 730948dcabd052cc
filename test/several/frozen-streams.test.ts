/** @module-tag full */
import { once } from 'node:events';
import * as http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCliLibrary } from '../builds/cli-library.ts';
import { basicOf } from '../dav/dav-fixture.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { installation, makeServer } from '../support/postgres/own-server.ts';
import { useSandbox } from '../support/process.ts';

const skipReason = installation ? '' : 'skipped: there is no PostgreSQL';
/** Size of the file in bytes. The sockets of a connection buffer less than this. */
const size = 64 * 2 ** 20;
/** Time in milliseconds that exceeds the interval at which a download checks its access again. */
const checkedMs = 1_100;

/**
 * Starts a download whose client does not read until `resume` is called. `ended` resolves to the
 * number of received bytes, or to 'aborted'.
 */
async function startedDownload(url: string, headers: http.OutgoingHttpHeaders) {
  const request = http.get(url, { agent: false, headers });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.pause();
  let bytes = 0;
  const ended = new Promise<number | 'aborted'>((resolve) => {
    response.on('error', () => resolve('aborted')).on('end', () => resolve(bytes));
  });
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  response.pause();
  return { status: response.statusCode, resume: () => response.resume(), ended };
}

describe('a server whose database server is stopped', () => {
  test.skipIf(skipReason)(
    `continues downloads in a short outage; aborts them in a long one or if revoked ${skipReason}`,
    { timeout: 180_000 },
    async () => {
      const server = await makeServer();
      onTestFinished(async () => {
        server.signal('SIGCONT');
        await server.remove();
      });
      const sandbox = await useSandbox(undefined, server.databaseUrl);
      const { root } = await createCliLibrary(sandbox, { 'Ant (USA)': 'a'.repeat(size) });
      const instance = await sandbox.serve(['--games-root', root]);
      const token = await logIn(instance.url, 'first', 'first');
      const request = async (path: string, options: object = {}) =>
        (await sendRequest(`${instance.url}/api${path}`, { token, ...options })).json;
      const [{ id: set_id }] = (await request('/sets')).items;
      const json = { name: 'Handheld', set_id, profile: 'batocera' };
      const game = 'gb/Ant%20(USA).gb';
      const dav = () =>
        startedDownload(`${instance.url}/dav/All/batocera/${game}`, {
          authorization: basicOf('first', token),
        });
      const connect = () => request('/devices', { json });
      const played = ({ path }: { path: string }) =>
        startedDownload(`${instance.url}${path}${game}`, {});
      const first = await connect();

      const short = [await played(first), await dav()];
      expect(short.map(({ status }) => status)).toEqual([200, 200]);
      server.signal('SIGSTOP');
      await setTimeout(checkedMs);
      for (const download of short) download.resume();
      await expect.poll(() => instance.stderr).toContain('the database is unavailable');
      server.signal('SIGCONT');
      expect(await Promise.all(short.map(({ ended }) => ended))).toEqual([size, size]);

      const revoked = await played(first);
      await request(`/devices/${first.device.id}`, { method: 'DELETE' });
      await setTimeout(checkedMs);
      revoked.resume();
      expect(await revoked.ended).toBe('aborted');

      const long = [await played(await connect()), await dav()];
      server.signal('SIGSTOP');
      await setTimeout(checkedMs);
      for (const download of long) download.resume();
      expect(await Promise.all(long.map(({ ended }) => ended))).toEqual(['aborted', 'aborted']);
    },
  );
});
