import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { attempt } from './attempt.ts';
import { type BucketAddress, type LoadedClient, loadClient } from './s3-client.ts';
import { isGone } from './s3-error.ts';

/** A part that was sent; `tag` is the store's. */
export interface SentPart {
  readonly part: number;
  readonly tag: string;
}

/** Gives the same bytes each time, so that they can be sent again. */
export type Bytes = () => Promise<Readable>;

/** The objects below an address, by their keys. What fails is thrown as `asObjectError` has it. */
export class Bucket {
  readonly #address: BucketAddress;
  /** Loaded with the first request: most commands make none. */
  #loading: Promise<LoadedClient> | null = null;

  constructor(address: BucketAddress) {
    this.#address = address;
  }

  /** What it is called in messages. */
  get where(): string {
    const { bucket, endpoint } = this.#address;
    return `the bucket ${bucket} at ${endpoint}`;
  }

  /** Stores a small object. */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.#ask('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.PutObjectCommand({ ...this.#at(key), Body: bytes });
      return client.send(command, { abortSignal });
    });
  }

  /** Stores an object of at most 5 GiB. */
  async putStream(key: string, size: number, open: Bytes): Promise<void> {
    await this.#sending(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#at(key), Body, ContentLength: size };
      return client.send(new s3.PutObjectCommand(input), { abortSignal });
    });
  }

  /** Begins an object in parts; returns what they are called by. */
  async beginParts(key: string): Promise<string> {
    const { UploadId } = await this.#ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.CreateMultipartUploadCommand(this.#at(key)), { abortSignal }),
    );
    if (UploadId === undefined) throw new Error(`${this.where} gave no name for parts`);
    return UploadId;
  }

  async putPart(
    { key, partsId, part }: { key: string; partsId: string; part: number },
    size: number,
    open: Bytes,
  ): Promise<SentPart> {
    const { ETag } = await this.#sending(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#at(key), UploadId: partsId, PartNumber: part };
      const command = new s3.UploadPartCommand({ ...input, Body, ContentLength: size });
      return client.send(command, { abortSignal });
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
    try {
      await this.#ask('long', ({ client, s3 }) =>
        client.send(new s3.CompleteMultipartUploadCommand(input)),
      );
    } catch (error) {
      if ((await this.sizeOf(key).catch(() => null)) !== size) throw error;
    }
    // Others may have been begun whose answer was lost.
    await this.abortParts(key).catch(() => {});
  }

  /** The bytes from `start` to `end`, both inclusive; it may end early, or fail. */
  async get(key: string, start: number, end: number): Promise<Readable> {
    const input = { ...this.#at(key), Range: `bytes=${start}-${end}` };
    const { Body, ContentLength } = await this.#ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.GetObjectCommand(input), { abortSignal }),
    );
    const body = Body as Readable | undefined;
    if (body !== undefined && ContentLength === end + 1 - start) return body;
    body?.on('error', () => {}).destroy();
    throw new Error(`${this.where} has other bytes at ${key} than it was given`);
  }

  /** Null when there is no such object. */
  async sizeOf(key: string): Promise<number | null> {
    try {
      const { ContentLength } = await this.#ask('quick', ({ client, s3 }, abortSignal) =>
        client.send(new s3.HeadObjectCommand(this.#at(key)), { abortSignal }),
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
    const { Uploads = [] } = await this.#ask('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key });
      return client.send(command, { abortSignal });
    });
    for (const { UploadId } of Uploads.filter((each) => each.Key === Key)) {
      await this.#ask('long', ({ client, s3 }) =>
        client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })),
      ).catch(orGone);
    }
  }

  /** Nothing happens where there is none. */
  async remove(key: string): Promise<void> {
    await this.#ask('long', ({ client, s3 }) =>
      client.send(new s3.DeleteObjectCommand(this.#at(key))),
    ).catch(orGone);
  }

  /** Writes something and removes it again. Throws with a line that says why it cannot. */
  async check(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.put(key, Buffer.from('x'));
    await this.remove(key);
  }

  async close(): Promise<void> {
    (await this.#loading)?.close();
  }

  #at(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  async #ask<T>(
    kind: 'quick' | 'long',
    send: (loaded: LoadedClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#loading ??= loadClient(this.#address);
    const loaded = await this.#loading;
    return attempt(this.where, kind, (signal) => send(loaded, signal));
  }

  /** The client pipes a stream and does not look whether that fails. */
  #sending<T>(
    open: Bytes,
    send: (loaded: LoadedClient, body: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#ask('long', async (loaded, signal) => {
      const body = await open();
      const failed = new AbortController();
      let failure: unknown;
      body.on('error', (error) => {
        failure = error;
        failed.abort();
      });
      try {
        return await send(loaded, body, AbortSignal.any([signal, failed.signal]));
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
