/** @module-tag full */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { game, xml } from '../../imports/support/dat-text.ts';
import { testedDatabases } from '../../support/data/databases.ts';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { createRequester } from '../../support/http/requester.ts';
import { type TusClient, tusClient } from '../../support/http/tus.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Sandbox, type Server, useSandbox } from '../../support/process.ts';
import { listKeys } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const onServers = testedDatabases().filter(({ name }) => name !== 'SQLite');
const title = `DATs uploaded to instances on several machines ${s3SkipReason ?? ''}`;

describe.skipIf(s3SkipReason !== null).each(onServers)(`$name: ${title}`, ({ make }) => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  /** Starts two instances that share only the database and the bucket. */
  async function useMachines() {
    const { databaseUrl: database, drop } = await make();
    onTestFinished(drop);
    const address = await s3.newBucket();
    const [one, other] = [await serveOn(database, address), await serveOn(database, address)];
    const token = await logIn(one.server.url);
    const clients = [one, other].map(({ server }) => tusClient(createRequester(server.url), token));
    const [atOne, atOther] = clients as [TusClient, TusClient];
    return { address, one, other, atOne, atOther, token };
  }

  async function serveOn(database: string, address: BucketConfig) {
    const sandbox = await useSandbox(undefined, database);
    return { sandbox, server: await sandbox.serve([], settingsOf(sandbox, address)) };
  }

  test('can be uploaded through two servers, and imported by one without the other', async () => {
    const { address, one, other, atOne, atOther, token } = await useMachines();
    const bytes = Buffer.from(xml([game('One', 'one'), game('Two', 'two')], 'Test - Console', '1'));
    const path = await atOne.createUpload(bytes.length, {
      filename: 'console.dat',
      system: 'dats',
    });
    expect((await atOne.send(path, 0, bytes.subarray(0, 100))).status).toBe(204);
    expect((await atOther.send(path, 100, bytes.subarray(100, 200))).status).toBe(204);
    expect((await atOne.send(path, 200, bytes.subarray(200))).status).toBe(204);
    const { id, state } = await atOther.waitUntilChecked(path);
    expect(state).toBe('done');
    for (const { server } of [one, other]) {
      const preview = await jobAt(server, token, { kind: 'import-preview', uploads: [id] });
      expect(preview).toMatchObject({
        state: 'done',
        report: { files: [{ file: 'console.dat' }] },
      });
    }

    one.server.kill('SIGKILL');
    await one.server.ended;
    const job = await jobAt(other.server, token, { kind: 'import', uploads: [id] });
    const imported = { file: 'console.dat', counts: { releases: 2, new: 2 } };
    expect(job).toMatchObject({ state: 'done', report: { files: [imported] } });
    expect(leftOn(one.sandbox)).toEqual([]);
    expect(leftOn(other.sandbox)).toEqual([]);

    const removed = await createRequester(other.server.url)('DELETE', path, {
      token,
      headers: { 'tus-resumable': '1.0.0' },
    });
    expect(removed.status).toBe(204);
    await expect.poll(() => listKeys(address)).toEqual([]);
    const gone = await startJob(other.server, token, { kind: 'import', uploads: [id] });
    expect(gone.status).toBe(422);
  });

  test('can be imported by another server whose first request is the import', async () => {
    const { address, other, atOne, token } = await useMachines();
    const bytes = Buffer.from(xml([game('One', 'one')], 'Test - Console', '1'));
    const ids: unknown[] = [];
    for (const filename of ['a.dat', 'b.dat']) {
      const path = await atOne.createUpload(bytes.length, { filename, system: 'dats' });
      expect((await atOne.send(path, 0, bytes.subarray(0, 100))).status).toBe(204);
      expect((await atOne.send(path, 100, bytes.subarray(100))).status).toBe(204);
      ids.push((await atOne.waitUntilChecked(path)).id);
    }
    await expect.poll(() => listKeys(address)).toHaveLength(2); // one object per upload
    const { report } = await jobAt(other.server, token, { kind: 'import', uploads: ids });
    expect(report.files.map(({ file }: { file: string }) => file)).toEqual(['a.dat', 'b.dat']);
    expect(leftOn(other.sandbox)).toEqual([]);
  });
});

/** Returns the names of the files in the temporary folder. */
const leftOn = ({ data }: Sandbox) => readdirSync(join(data, 'tmp'));

type NewJob = { kind: string; uploads: unknown[] };

const startJob = ({ url }: Server, token: string, { kind, uploads }: NewJob) =>
  sendRequest(`${url}/api/jobs`, { token, json: { kind, options: { uploads } } });

/** Starts a job and waits for its end. Returns the job. */
async function jobAt(server: Server, token: string, newJob: NewJob) {
  const { status, json } = await startJob(server, token, newJob);
  expect([status, json]).toEqual([200, { id: expect.any(Number) }]);
  return vi.waitFor(async () => {
    const job = (await sendRequest(`${server.url}/api/jobs/${json.id}`, { token })).json;
    expect(job.state).not.toBe('running');
    return job;
  }, pollOptions);
}
