import type { Readable } from 'node:stream';
import type { Presentation } from '../../../core/shared/files/file-area.ts';
import { type BucketConfig, type LoadedClient, loadClient } from './s3-client.ts';
import { sendWithRetries } from './send-with-retries.ts';
import { createSigner, type SignUrl } from './sign-url.ts';

/**
 * Opens a stream of bytes. Each call returns a new stream of the same bytes, so that a request can
 * be retried.
 */
export type OpenStream = () => Promise<Readable>;

/**
 * Sends requests for the objects below a bucket URL. Throws errors converted by `asObjectError`.
 */
export class BucketRequests {
  readonly #config: BucketConfig;
  /** The S3 client. Null until the first request, because most commands send no requests. */
  #loading: Promise<LoadedClient> | null = null;

  /** Signs URLs. Null until the first URL, because most programs sign none. */
  #signing: Promise<SignUrl> | null = null;

  constructor(config: BucketConfig) {
    this.#config = config;
  }

  /** Name of the bucket in messages. */
  get displayName(): string {
    const { bucket, endpoint } = this.#config;
    return `the bucket ${bucket} at ${endpoint}`;
  }

  /** Returns `front`, the bucket and the prefix, separated by slashes. Empty parts are left out. */
  pathOf(front: string): string {
    const { bucket, prefix } = this.#config;
    return [front, bucket, prefix].filter((part) => part !== '').join('/');
  }

  /** Returns the request parameters for an object. `key` is relative to the bucket URL. */
  objectParams(key: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#config;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  /**
   * Returns the source parameter of a copy, with each path segment URL-encoded (S3,
   * "x-amz-copy-source").
   */
  sourceOf(key: string): string {
    const { Bucket, Key } = this.objectParams(key);
    return [Bucket, ...Key.split('/')].map(encodeURIComponent).join('/');
  }

  async send<T>(
    kind: 'quick' | 'long',
    send: (loaded: LoadedClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#loading ??= loadClient(this.#config);
    const loaded = await this.#loading;
    return sendWithRetries(this.displayName, kind, (signal) => send(loaded, signal));
  }

  /** Returns a URL from which anyone can download an object for five minutes. Sends no request. */
  signedUrl(key: string, presentation: Presentation): Promise<string> {
    this.#signing ??= createSigner(this.#config);
    return this.#signing.then((sign) => sign(this.objectParams(key), presentation));
  }

  /**
   * Sends a request with a body. The S3 client does not watch the body's stream for errors. So this
   * method aborts the request if the stream fails.
   */
  sendBody<T>(
    open: OpenStream,
    send: (loaded: LoadedClient, body: Readable, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.send('long', async (loaded, signal) => {
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
