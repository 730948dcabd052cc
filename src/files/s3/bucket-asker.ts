import type { Readable } from 'node:stream';
import { attempt } from './attempt.ts';
import { type BucketAddress, type LoadedClient, loadClient } from './s3-client.ts';

/** Gives the same bytes each time, so that they can be sent again. */
export type Bytes = () => Promise<Readable>;

/** Asks for the objects below an address. What fails is thrown as `asObjectError` has it. */
export class BucketAsker {
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

  /** Bucket and prefix behind something, by slashes. */
  pathOf(front: string): string {
    const { bucket, prefix } = this.#address;
    return [front, bucket, prefix].filter((part) => part !== '').join('/');
  }

  /** Of a key below the address. */
  at(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  /** The same as what is copied: each word of it as in an address (S3, "x-amz-copy-source"). */
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

  /** The same with bytes; the client pipes a stream and does not look whether that fails. */
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
        failed.abort(); // a store may answer before it has all: the rest must not go out on this connection
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
