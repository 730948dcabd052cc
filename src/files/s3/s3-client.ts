import * as http from 'node:http';
import * as https from 'node:https';
import type { S3Client } from '@aws-sdk/client-s3';

/** Where objects lie, and who may write there. */
export interface BucketAddress {
  readonly bucket: string;
  /** In front of every key; "" for none, no slash at its ends. */
  readonly prefix: string;
  /** `https://s3.example.org`. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * Connections at a time: each answer that is read slowly has one, and S3 waits for it. One request more waits for an end.
 */
const mostSockets = 1_000;
/** What a connection holds that is not read; 200 slow readers have 200. */
const unreadBytes = 16 * 1024;
const connectMs = 2_000;
/** Without a byte in either direction; a slow reader's request is made again then. */
const idleMs = 60_000;

/** The client of S3, and the constructors of its requests. */
export interface LoadedClient {
  readonly s3: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
  close(): void;
}

/** Loads it: a quarter of a second, 33 MiB. */
export async function loadClient(address: BucketAddress): Promise<LoadedClient> {
  const s3 = await import('@aws-sdk/client-s3');
  const { endpoint, region, accessKey: accessKeyId, secretKey: secretAccessKey } = address;
  const options = { keepAlive: true, maxSockets: mostSockets, highWaterMark: unreadBytes };
  const agents = endpoint.startsWith('https:')
    ? { httpsAgent: new https.Agent(options) }
    : { httpAgent: new http.Agent(options) };
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1, // see `attempt`, which also sends streams again
    // Others than AWS do not understand the newer checksums (Ceph 16, Swift).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} }, // else some lines go to the console
    requestHandler: { ...agents, connectionTimeout: connectMs, socketTimeout: idleMs },
  });
  const agent = agents.httpsAgent ?? agents.httpAgent;
  return {
    s3,
    client,
    close() {
      client.destroy();
      agent.destroy();
    },
  };
}
