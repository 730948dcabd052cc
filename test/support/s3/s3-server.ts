import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import { clientOf } from './list-bucket.ts';

/** A real S3 server, run for tests. */
export interface S3Server {
  readonly endpoint: string;
  /** Creates an empty bucket and returns its address. */
  newBucket(): Promise<BucketConfig>;
  /** The process that serves requests. Tests may stop and resume it with signals. */
  readonly gateway: ChildProcess;
  /** Ends the gateway and starts it again on the same port. */
  restartGateway(): Promise<void>;
  stop(): Promise<void>;
}

export const startTimeoutMs = 30_000;

/**
 * Waits until the server responds with a status below 500. Throws if one of its programs has ended.
 */
export async function waitUntilUp(
  endpoint: string,
  children: readonly ChildProcess[],
): Promise<void> {
  for (const until = Date.now() + startTimeoutMs; ; await setTimeout(20)) {
    const response = await fetch(endpoint).catch(() => null);
    await response?.body?.cancel();
    if (response !== null && response.status < 500) return;
    const ended = children.find(({ exitCode }) => exitCode !== null);
    if (ended || Date.now() > until) throw new Error(`no S3: ${ended?.spawnargs.join(' ')}`);
  }
}

/** Creates an empty bucket. Returns its address, with keys below a prefix. */
export async function newBucket(
  endpoint: string,
  keys: Pick<BucketConfig, 'accessKey' | 'secretKey'>,
): Promise<BucketConfig> {
  const bucket = `tests-${randomUUID()}`;
  const address = { bucket, prefix: 'some/where', endpoint, region: 'us-east-1', ...keys };
  const client = clientOf(address);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return address;
}
