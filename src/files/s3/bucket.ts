import * as http from 'node:http';
import * as https from 'node:https';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { attempt } from './attempt.ts';
import { isGone } from './s3-error.ts';

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

/** A part that was sent; `tag` is the store's. */
export interface SentPart {
  readonly part: number;
  readonly tag: string;
}

/** Gives the same bytes each time, so that they can be sent again. */
export type Bytes = () => Promise<Readable>;

/**
 * Connections at a time: each answer that is read slowly has one, and S3 waits for it. One request more waits for an end.
 */
const mostSockets = 1_000;
/** What a connection holds that is not read; 200 slow readers have 200. */
const unreadBytes = 16 * 1024;
const connectMs = 2_000;
/** Without a byte in either direction; a slow reader's request is made again then. */
const idleMs = 60_000;

/** The objects below an address, by their keys. What fails is thrown as `asObjectError` has it. */
export class Bucket {
  readonly #s3: typeof import('@aws-sdk/client-s3');
  readonly #client: S3Client;
  readonly #agent: http.Agent;
  readonly #address: BucketAddress;

  /** Loads the client, which nobody else waits for. */
  static async open(address: BucketAddress): Promise<Bucket> {
    return new Bucket(await import('@aws-sdk/client-s3'), address);
  }

  private constructor(s3: typeof import('@aws-sdk/client-s3'), address: BucketAddress) {
    const { endpoint, region, accessKey: accessKeyId, secretKey: secretAccessKey } = address;
    const options = { keepAlive: true, maxSockets: mostSockets, highWaterMark: unreadBytes };
    const agents = endpoint.startsWith('https:')
      ? { httpsAgent: new https.Agent(options) }
      : { httpAgent: new http.Agent(options) };
    this.#agent = agents.httpsAgent ?? agents.httpAgent;
    this.#s3 = s3;
    this.#address = address;
    this.#client = new s3.S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      maxAttempts: 1, // see `attempt`, which also sends streams again
      // Others than AWS do not understand the newer checksums (Ceph 16, Swift).
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      requestHandler: { ...agents, connectionTimeout: connectMs, socketTimeout: idleMs },
    });
  }

  /** What it is called in messages. */
  get where(): string {
    const { bucket, endpoint } = this.#address;
    return `the bucket ${bucket} at ${endpoint}`;
  }

  /** Stores a small object. */
  async put(key: string, bytes: Buffer): Promise<void> {
    const command = new this.#s3.PutObjectCommand({ ...this.#at(key), Body: bytes });
    await this.#ask('quick', (signal) => this.#client.send(command, signal));
  }

  /** Stores an object of at most 5 GiB. */
  async putStream(key: string, size: number, open: Bytes): Promise<void> {
    await this.#sending(open, (Body, abortSignal) => {
      const input = { ...this.#at(key), Body, ContentLength: size };
      return this.#client.send(new this.#s3.PutObjectCommand(input), { abortSignal });
    });
  }

  /** Begins an object in parts; returns what they are called by. */
  async beginParts(key: string): Promise<string> {
    const command = new this.#s3.CreateMultipartUploadCommand(this.#at(key));
    const { UploadId } = await this.#ask('quick', (signal) => this.#client.send(command, signal));
    if (UploadId === undefined) throw new Error(`${this.where} gave no name for parts`);
    return UploadId;
  }

  async putPart(
    { key, partsId, part }: { key: string; partsId: string; part: number },
    size: number,
    open: Bytes,
  ): Promise<SentPart> {
    const { ETag } = await this.#sending(open, (Body, abortSignal) => {
      const input = { ...this.#at(key), UploadId: partsId, PartNumber: part };
      const command = new this.#s3.UploadPartCommand({ ...input, Body, ContentLength: size });
      return this.#client.send(command, { abortSignal });
    });
    if (ETag === undefined) throw new Error(`${this.where} gave no tag for a part`);
    return { part, tag: ETag };
  }

  /** Makes parts one object of so many bytes; also when they were made one before. */
  async finishParts(
    key: string,
    partsId: string,
    { parts, size }: { parts: readonly SentPart[]; size: number },
  ): Promise<void> {
    const Parts = parts.map(({ part, tag }) => ({ PartNumber: part, ETag: tag }));
    const input = { ...this.#at(key), UploadId: partsId, MultipartUpload: { Parts } };
    const command = new this.#s3.CompleteMultipartUploadCommand(input);
    try {
      await this.#ask('long', () => this.#client.send(command));
    } catch (error) {
      if ((await this.sizeOf(key).catch(() => null)) !== size) throw error;
    }
    // Others may have been begun whose answer was lost.
    await this.abortParts(key).catch(() => {});
  }

  /** The bytes from `start` to `end`, both inclusive; it may end early, or fail. */
  async get(key: string, start: number, end: number): Promise<Readable> {
    const command = new this.#s3.GetObjectCommand({
      ...this.#at(key),
      Range: `bytes=${start}-${end}`,
    });
    const { Body, ContentLength } = await this.#ask('quick', (signal) =>
      this.#client.send(command, signal),
    );
    const body = Body as Readable | undefined;
    if (body !== undefined && ContentLength === end + 1 - start) return body;
    body?.on('error', () => {}).destroy();
    throw new Error(`${this.where} has other bytes at ${key} than it was given`);
  }

  /** Null when there is no such object. */
  async sizeOf(key: string): Promise<number | null> {
    const command = new this.#s3.HeadObjectCommand(this.#at(key));
    try {
      const { ContentLength } = await this.#ask('quick', (signal) =>
        this.#client.send(command, signal),
      );
      return ContentLength ?? null;
    } catch (error) {
      if (isGone((error as Error).cause)) return null;
      throw error;
    }
  }

  /** Drops what was begun in parts under a key and is no object. */
  async abortParts(key: string): Promise<void> {
    const { Bucket: bucket, Key } = this.#at(key);
    const list = new this.#s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key });
    const { Uploads = [] } = await this.#ask('quick', (signal) => this.#client.send(list, signal));
    for (const { UploadId } of Uploads.filter((each) => each.Key === Key)) {
      const abort = new this.#s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await this.#ask('long', () => this.#client.send(abort)).catch(orGone);
    }
  }

  /** Nothing happens where there is none. */
  async remove(key: string): Promise<void> {
    const command = new this.#s3.DeleteObjectCommand(this.#at(key));
    await this.#ask('long', () => this.#client.send(command)).catch(orGone);
  }

  close(): void {
    this.#client.destroy();
    this.#agent.destroy();
  }

  #at(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  #ask<T>(
    kind: 'quick' | 'long',
    send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    return attempt(this.where, kind, (abortSignal) => send({ abortSignal }));
  }

  /** The client pipes a stream and does not look whether that fails. */
  #sending<T>(open: Bytes, send: (body: Readable, signal: AbortSignal) => Promise<T>): Promise<T> {
    return attempt(this.where, 'long', async (signal) => {
      const body = await open();
      const failed = new AbortController();
      let failure: unknown;
      body.on('error', (error) => {
        failure = error;
        failed.abort();
      });
      try {
        return await send(body, AbortSignal.any([signal, failed.signal]));
      } catch (error) {
        throw failure ?? error;
      } finally {
        body.destroy();
      }
    });
  }
}

function orGone(error: unknown): void {
  if (!isGone((error as Error).cause)) throw error;
}
