import type { Readable } from 'node:stream';
import { attempt } from './attempt.ts';
import { type BucketAddress, type LoadedClient, loadClient } from './s3-client.ts';

/**
 * Opens a stream of bytes. Each call returns a new stream of the same bytes, so that a request can
 * be retried.
 */
export type Bytes = () => Promise<Readable>;

/**
 * Sends requests for the objects below a bucket URL. Throws errors converted by `asObjectError`.
 */
export class BucketAsker {
  readonly #address: BucketAddress;
  /** The S3 client. Null until the first request, because most commands send no requests. */
  #loading: Promise<LoadedClient> | null = null;

  constructor(address: BucketAddress) {
    this.#address = address;
  }

  /** Name of the bucket in messages. */
  get where(): string {
    const { bucket, endpoint } = this.#address;
    return `the bucket ${bucket} at ${endpoint}`;
  }

  /** Returns `front`, the bucket and the prefix, separated by slashes. Empty parts are left out. */
  pathOf(front: string): string {
    const { bucket, prefix } = this.#address;
    return [front, bucket, prefix].filter((part) => part !== '').join('/');
  }

  /** Returns the request parameters for an object. `key` is relative to the bucket URL. */
  at(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  /**
   * Returns the source parameter of a copy, with each path segment URL-encoded (S3,
   * "x-amz-copy-source").
   */
  sourceOf(key: string): string {
    const { Bucket, Key } = this.at(key);
    return [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/');
  }

  async ask<T>(
    kind: 'quick' | 'long',
    send: (loaded: LoadedClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#loading ??= loadClient(this.#address);
    const loaded = await this.#loading;
    return attempt(this.where, kind, (signal) => send(loaded, signal));
  }

  /**
   * Sends a request with a body. The S3 client does not watch the body's stream for errors. So this
   * method aborts the request if the stream fails.
   */
  sending<T>(
    open: Bytes,
    send: (loaded: LoadedClient, body: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.ask('long', async (loaded, signal) => {
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
        failed.abort(); // the store may respond early: do not send the rest of the body
        throw failure ?? error;
      } finally {
        body.destroy();
      }
    });
  }

  async close(): Promise<void> {
    (await this.#loading)?.close();
  }
}
