/** @module-tag full */
import { createHash, randomBytes } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { openSandbox, type Sandbox, useSandbox } from '../../support/process.ts';
import { clientOf, listKeys, listMultipartUploads } from '../../support/s3/list-bucket.ts';
import { s3SkipReason, startS3 } from '../../support/s3/radosgw.ts';
import type { S3Server } from '../../support/s3/s3-server.ts';
import { settingsOf } from '../../support/s3/settings.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(s3SkipReason !== null)(`catalog adopt ${s3SkipReason ?? ''}`, () => {
  let s3: S3Server;
  let sandbox: Sandbox;
  let address: BucketConfig;
  let env: Record<string, string>;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());
  beforeEach(async () => {
    sandbox = await openSandbox();
    address = await s3.newBucket();
    env = settingsOf(sandbox, address);
    expect(
      (await sandbox.run(['users', 'add', 'first', '--password-stdin'], { env, stdin: 'first\n' }))
        .code,
    ).toBe(0);
    return () => sandbox.close();
  });

  /** Adds an object manually, like `aws s3 cp`. */
  async function addObject(path: string, bytes: Buffer | string): Promise<void> {
    const client = clientOf(address);
    const Key = `${address.prefix}/adopt/${path}`;
    await client.send(new PutObjectCommand({ Bucket: address.bucket, Key, Body: bytes }));
    client.destroy();
  }
  const adopt = (...args: string[]) => sandbox.run(['adopt', ...args], { env });
  const manualObjects = async () =>
    (await listKeys(address))
      .filter((key) => key.startsWith('some/where/adopt/'))
      .map((key) => key.slice('some/where/adopt/'.length));
  const archives = async () => {
    const { stdout } = await sandbox.run(['audit', '--json'], { env });
    return JSON.parse(stdout)
      .filter(({ action }: { action: string }) => action === 'archive.upload')
      .map(({ target, detail }: Record<string, unknown>) => [target, detail]);
  };

  test('adopts files under the names that uploads get, with an audit entry each', async () => {
    const bytes = randomBytes(9 * 2 ** 20);
    await addObject('games/', '');
    await addObject('games/Größe + [!] 100%.zip', 'one');
    await addObject('videos/a.iso', bytes);
    await addObject('videos/empty', '');
    expect(await adopt()).toMatchObject({
      code: 0,
      stdout: `3 files adopted, ${bytes.length + 3} bytes, 0 refused\n`,
      stderr: '',
    });
    const detail = (of: Buffer) => ({ size: of.length, sha256: sha256(of) });
    expect(new Set(await archives())).toEqual(
      new Set([
        ['store/games/Größe   100.zip', detail(Buffer.from('one'))],
        ['store/videos/a.iso', detail(bytes)],
        ['store/videos/empty', detail(Buffer.alloc(0))],
      ]),
    );
    expect(await manualObjects()).toEqual(['games/']);
    expect(await sandbox.run(['verify', '--store'], { env })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await adopt()).toMatchObject({
      code: 0,
      stdout: `there are no files in s3://${address.bucket}/some/where/adopt/games or s3://${address.bucket}/some/where/adopt/videos\n`,
    });
  });

  test('lists refused files with the reason and leaves them in place', async () => {
    const refused = [
      ['a.zip', 'it lies neither directly in games/ nor in videos/'],
      ['games/!!', 'invalid filename'],
      ['games/..', 'invalid filename'],
      ['games/b!.zip', 'another one of these is games/b.zip already'],
      ['games/sub/c.zip', 'it lies neither directly in games/ nor in videos/'],
      ['music/d.mp3', 'it lies neither directly in games/ nor in videos/'],
    ] as const;
    for (const [path] of refused) await addObject(path, 'x');
    await addObject('games/b .zip', 'x'); // its stored name differs
    await addObject('games/b!!.zip', 'first');
    const { code, stdout, stderr } = await adopt();
    expect(code).toBe(1);
    expect(stdout).toBe('2 files adopted, 6 bytes, 6 refused\n');
    expect(stderr.trim().split('\n').sort()).toEqual(
      refused.map(([path, reason]) => `${path}: refused: ${reason}`).sort(),
    );
    expect(await manualObjects()).toEqual(refused.map(([path]) => path).sort());
  });

  test('replaces an archive of the same name only with --replace', async () => {
    await addObject('games/a.zip', 'old');
    expect((await adopt()).code).toBe(0);
    await addObject('games/a.zip', 'new');
    const repeated = await adopt('--json');
    expect(JSON.parse(repeated.stdout)).toEqual({
      place: `s3://${address.bucket}/some/where/adopt`,
      files: 0,
      bytes: 0,
      refused: [{ path: 'games/a.zip', reason: 'there is a games/a.zip' }],
    });
    expect(repeated.code).toBe(1);
    expect(await adopt('--replace')).toMatchObject({ code: 0, stderr: '' });
    expect(await manualObjects()).toEqual([]);
    expect((await archives()).map(([, detail]: unknown[]) => detail)).toEqual([
      { size: 3, sha256: sha256(Buffer.from('new')) },
      { size: 3, sha256: sha256(Buffer.from('old')) },
    ]);
  });

  test('keeps adopted files when stopped, leaves no partial file, and can continue', async () => {
    for (let at = 0; at < 40; at += 1) await addObject(`games/${at}.zip`, randomBytes(100_000));
    const running = sandbox.start(['adopt'], env);
    await expect.poll(async () => (await manualObjects()).length, { interval: 5 }).toBeLessThan(40);
    running.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(/^catalog: stopped; adopted archives are kept, .+\n$/),
    ]);
    const left = await manualObjects();
    expect(left.length).toBeGreaterThan(0);
    const stored = (await listKeys(address)).filter((key) => key.startsWith('some/where/games/'));
    expect(stored.length + left.length).toBe(40);
    expect(await archives()).toHaveLength(stored.length);
    expect(await listMultipartUploads(address)).toEqual([]);
    expect(await adopt()).toMatchObject({ code: 0, stderr: '' });
    expect(await manualObjects()).toEqual([]);
  });

  test('reports a missing bucket in one line, without the secret key', async () => {
    const wrong = { ...env, CATALOG_FILES: 's3://no-such-bucket' };
    const { code, stdout, stderr } = await sandbox.run(['adopt'], { env: wrong });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^catalog: .*no-such-bucket.*NoSuchBucket.*\n$/);
    expect(stderr).not.toContain('secret of');
  });
});

describe('catalog adopt', () => {
  test('fails if the catalogue stores its files in the data folder', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    expect(await sandbox.run(['adopt'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^catalog: there is nothing to adopt: this catalogue stores its files in the data folder.+\n$/,
      ),
    });
  });
});
