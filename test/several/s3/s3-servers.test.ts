/** @module-tag full */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { freeze } from '../../support/freeze.ts';
import {
  type ClientRequestOptions,
  type ClientResponse,
  fileForm,
  logIn,
  sendRequest,
} from '../../support/http/client.ts';
import { createRequester } from '../../support/http/requester.ts';
import { tusClient } from '../../support/http/tus.ts';
import { openSandbox, type Sandbox, type Server, useSandbox } from '../../support/process.ts';
import { listKeys, listMultipartUploads } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const mib = 2 ** 20;
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(s3SkipReason !== null)(`a pair of servers on S3 ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  let address: BucketConfig;
  let env: Record<string, string>;
  let sandbox: Sandbox;
  let servers: Server[];
  let token: string;
  beforeAll(async () => {
    s3 = await startS3();
    address = await s3.newBucket();
    sandbox = await openSandbox();
    env = settingsOf(sandbox, address);
    servers = [await sandbox.serve([], env), await sandbox.serve([], env)];
    token = await logIn(urlOf(0));
  });
  afterAll(async () => {
    await sandbox?.close();
    await s3?.stop();
  });

  const urlOf = (turn: number) => servers[turn % 2]?.url ?? '';
  const as = (
    turn: number,
    path: string,
    question: ClientRequestOptions = {},
  ): Promise<ClientResponse> => sendRequest(`${urlOf(turn)}/api/${path}`, { token, ...question });
  const names = async (turn: number) =>
    (await as(turn, 'store?system=games')).json.items.map(({ name }: { name: string }) => name);

  test('serves and deletes on one server an archive that the other one stored', async () => {
    const text = `${'x'.repeat(300_000)}end`;
    expect((await as(0, 'store/upload', fileForm('a.zip', text))).status).toBe(200);
    expect(await names(1)).toContain('a.zip');
    const whole = await as(1, 'store/download/games/a.zip');
    expect([whole.status, whole.text === text]).toEqual([200, true]);
    const { etag = '' } = whole.headers;
    const range = { range: 'bytes=299998-', 'if-range': etag };
    const part = await as(0, 'store/download/games/a.zip', { headers: range });
    expect([part.status, part.text]).toEqual([206, 'xxend']);
    const headers = { 'if-none-match': etag };
    expect((await as(1, 'store/download/games/a.zip', { headers })).status).toBe(304);
    expect((await as(1, 'store/games/a.zip', { method: 'DELETE' })).status).toBe(200);
    expect((await as(0, 'store/download/games/a.zip')).status).toBe(404);
    expect(existsSync(join(sandbox.data, 'store'))).toBe(false);
    expect((await as(0, 'health/ready')).status).toBe(200);
  });

  test('resumes on one server an upload that began on the other', async () => {
    const bytes = randomBytes(18 * mib);
    const clients = [0, 1].map((turn) => tusClient(createRequester(urlOf(turn)), token));
    const [one, other] = clients as [(typeof clients)[0] & {}, (typeof clients)[0] & {}];
    const path = await one.createUpload(bytes.length, { filename: 'resumed.iso', system: 'games' });
    let at = 0;
    for (const [turn, size] of [8 * mib, 100, 9 * mib, bytes.length - 17 * mib - 100].entries()) {
      const client = turn % 2 === 0 ? one : other;
      const sent = await client.send(path, at, bytes.subarray(at, at + size));
      expect(sent.status).toBe(204);
      at += size;
    }
    expect(await one.waitUntilChecked(path)).toMatchObject({ state: 'done' });
    const response = await fetch(`${urlOf(1)}/api/store/download/games/resumed.iso`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(bytes));
    expect(await listMultipartUploads(address)).toEqual([]);
  });

  test('keeps the old or new file, and resumes an upload, when a server is killed', async () => {
    const third = await sandbox.serve([], env);
    expect((await as(0, 'store/upload', fileForm('kept.zip', 'kept'))).status).toBe(200);
    const client = tusClient(createRequester(third.url), token);
    const bytes = randomBytes(10 * mib);
    const path = await client.createUpload(bytes.length, {
      filename: 'killed.iso',
      system: 'games',
    });
    expect((await client.send(path, 0, bytes.subarray(0, 9 * mib))).status).toBe(204);
    const lost = [
      client.send(path, 9 * mib, bytes.subarray(9 * mib)).catch(() => null),
      sendRequest(`${third.url}/api/store/upload`, {
        token,
        ...fileForm('kept.zip', 'x'.repeat(9 * mib)),
      }).catch(() => null),
    ];
    third.kill('SIGKILL');
    await Promise.all([third.ended, ...lost]);
    const other = tusClient(createRequester(urlOf(1)), token);
    const offset = Number((await other.head(path)).headers['upload-offset']);
    if (offset < bytes.length) {
      await expect
        .poll(async () => (await other.send(path, offset, bytes.subarray(offset))).status)
        .toBe(204);
    }
    expect(await other.waitUntilChecked(path)).toMatchObject({ state: 'done' });
    const response = await as(0, 'store/download/games/kept.zip');
    expect(['kept', 'x'.repeat(9 * mib)]).toContain(response.text);
  });

  test('responds with 503 while the store is frozen, and recovers afterwards', async () => {
    await freeze(s3.gateway.pid);
    try {
      const response = await as(0, 'store/upload', fileForm('late.zip', 'late'));
      expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    } finally {
      s3.gateway.kill('SIGCONT');
    }
    expect((await as(0, 'store/upload', fileForm('late.zip', 'late'))).status).toBe(200);
  });

  test('backs up the files and restores them into a data folder', async () => {
    expect((await as(0, 'store/upload', fileForm('b.zip', 'backed up'))).status).toBe(200);
    const file = join(sandbox.folder, 'all.tar');
    expect(await sandbox.run(['backup', file, '--store'], { env })).toMatchObject({ code: 0 });
    const verified = await sandbox.run(['verify', '--store'], { env });
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const fresh = await useSandbox();
    expect(await fresh.run(['restore', file])).toMatchObject({ code: 0 });
    expect(readFileSync(join(fresh.data, 'store/games/b.zip'), 'utf8')).toBe('backed up');
    const server = await fresh.serve();
    const url = `${server.url}/api/store/download/games/b.zip`;
    expect((await sendRequest(url, { token: await logIn(server.url) })).text).toBe('backed up');
    await server.stop();
    const moved = await fresh.run(['serve', '--port', '0'], { env });
    expect(moved).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^catalog: .+ without --files, .+\n$/),
    });
  });

  test('refuses to start without the location of the files, in one line', async () => {
    const { code, stderr } = await sandbox.run(['serve', '--port', '0']);
    expect([code, stderr]).toEqual([
      1,
      'catalog: the files of this catalogue are in an object store: set it with --files\n',
    ]);
  });

  test('starts without its store, lists archives, and logs when it is available', async () => {
    expect((await as(0, 'store/upload', fileForm('away.zip', 'away'))).status).toBe(200);
    await freeze(s3.gateway.pid);
    try {
      const server = await sandbox.serve([], env);
      expect(server.stderr).toContain(
        '"the files are unavailable: serving what the database knows',
      );
      const at = (path: string) => sendRequest(`${server.url}/api/${path}`, { token });
      const names = (await at('store?system=games')).json.items.map(
        ({ name }: { name: string }) => name,
      );
      expect(names).toContain('away.zip');
      expect((await at('store/download/games/away.zip')).status).toBe(503);
      expect((await at('health')).status).toBe(200);
      const ready = await at('health/ready');
      expect([ready.status, ready.json.not_ready]).toEqual([503, ['files']]);
      s3.gateway.kill('SIGCONT');
      await expect.poll(() => server.stderr).toContain('"the files are available"');
      await expect.poll(async () => (await at('health/ready')).status).toBe(200);
      expect((await at('store/download/games/away.zip')).text).toBe('away');
      expect((await server.stop()).code).toBe(0);
    } finally {
      s3.gateway.kill('SIGCONT');
    }
  });

  test.each([
    [
      'no bucket',
      () => ({ CATALOG_FILES: 's3://no-such-bucket' }),
      /into the bucket no-such-bucket at http\S+: NoSuchBucket$/,
    ],
    ['a wrong key', () => ({ CATALOG_S3_SECRET_KEY: 'wrong secret' }), /: SignatureDoesNotMatch$/],
    [
      'no key',
      () => ({ CATALOG_S3_SECRET_KEY_FILE: '' }),
      /needs keys: set CATALOG_S3_ACCESS_KEY and/,
    ],
  ])(
    'refuses to start with %s in one line without secrets, and fails doctor',
    async (_what, change, message) => {
      const fresh = await useSandbox();
      const wrong = { ...settingsOf(fresh, address), ...change() };
      const { code, stderr, stdout } = await fresh.run(['serve', '--port', '0'], { env: wrong });
      expect({ code, stderr, stdout }).toEqual({ code: 1, stderr: expect.any(String), stdout: '' });
      expect(stderr).toMatch(/^catalog: .+\n$/);
      expect(stderr.trim()).toMatch(message);
      expect(stderr).not.toContain('secret of');
      expect(stderr).not.toContain('wrong secret');
      const doctor = await fresh.run(['doctor'], { env: wrong });
      expect(doctor.stdout).toMatch(/^WRONG {3}files: /m);
      expect(`${doctor.stdout}${doctor.stderr}`).not.toMatch(/secret of|wrong secret/);
    },
  );

  test('refuses keys in a bucket URL without repeating them', async () => {
    for (const [args, own] of [
      [['--files=s3://key:hidden@bucket/x'], {}],
      [[], { CATALOG_FILES: 's3://key:hidden@bucket/x' }],
    ] as const) {
      const { code, stderr } = await sandbox.run(['serve', ...args], { env: { ...env, ...own } });
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^catalog: \S+ "s3:\/\/\.\.\.@bucket\/x" is not .+\n$/),
      ]);
      expect(stderr).not.toContain('hidden');
    }
  });

  test('passes doctor, and leaves only archives and no temporary files after a stop', async () => {
    expect((await sandbox.run(['doctor'], { env })).stdout).toMatch(
      /^ok {6}files: s3:\/\/\S+ is writable$/m,
    );
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    expect(readdirSync(join(sandbox.data, 'tmp'))).toEqual([]);
    for (const { stdout, stderr } of servers) expect(stdout + stderr).not.toContain('secret of');
    const others = async () =>
      (await listKeys(address)).filter((key) => !key.startsWith('some/where/games/'));
    await expect.poll(others).toEqual([]);
  });
});
