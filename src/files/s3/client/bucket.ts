import type { Readable } from 'node:stream';
import type { Presentation } from '../../../core/shared/files/file-area.ts';
import { BucketRequests, type OpenStream } from './bucket-requests.ts';
import { type ListedObject, listObjects } from './list-objects.ts';
import type { BucketConfig } from './s3-client.ts';
import { isGone } from './s3-error.ts';

/** A part that was sent to the store. `tag` is the entity tag that the store assigned. */
export interface SentPart {
  readonly part: number;
  readonly tag: string;
}

/** Identifies a part: its object, its multipart upload and its number. */
interface PartPlace {
  readonly key: string;
  readonly partsId: string;
  readonly part: number;
}

/** Identifies one version of an object. */
export interface ObjectFacts {
  /** Size in bytes. */
  readonly size: number;
  /** Entity tag assigned by the store. */
  readonly tag: string;
}

/**
 * Reads and changes the objects below a bucket URL. Keys are relative to this URL. All methods
 * throw errors converted by `asObjectError`.
 */
export class Bucket {
  readonly #requests: BucketRequests;

  constructor(config: BucketConfig) {
    this.#requests = new BucketRequests(config);
  }

  /** Name of the bucket in messages. */
  get displayName(): string {
    return this.#requests.displayName;
  }

  /** URL of the form `s3://bucket/prefix`. */
  get url(): string {
    return this.#requests.pathOf('s3:/');
  }

  /** Stores a small object from memory. */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.#requests.send('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.PutObjectCommand({ ...this.#requests.objectParams(key), Body: bytes });
      return client.send(command, { abortSignal });
    });
  }

  /** Stores an object of at most 5 GiB. */
  async putStream(key: string, size: number, open: OpenStream): Promise<void> {
    await this.#requests.sendBody(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#requests.objectParams(key), Body, ContentLength: size };
      return client.send(new s3.PutObjectCommand(input), { abortSignal });
    });
  }

  /** Starts a multipart upload and returns its id. */
  async beginMultipartUpload(key: string): Promise<string> {
    const { UploadId } = await this.#requests.send('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.CreateMultipartUploadCommand(this.#requests.objectParams(key)), {
        abortSignal,
      }),
    );
    if (UploadId === undefined)
      throw new Error(`${this.displayName} returned no id for the multipart upload`);
    return UploadId;
  }

  async putPart(
    { key, partsId, part }: PartPlace,
    size: number,
    open: OpenStream,
  ): Promise<SentPart> {
    const { ETag } = await this.#requests.sendBody(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#requests.objectParams(key), UploadId: partsId, PartNumber: part };
      const command = new s3.UploadPartCommand({ ...input, Body, ContentLength: size });
      return client.send(command, { abortSignal });
    });
    if (ETag === undefined) throw new Error(`${this.displayName} returned no ETag for a part`);
    return { part, tag: ETag };
  }

  /**
   * Completes a multipart upload into one object of `size` bytes. Also succeeds if the multipart
   * upload was completed before.
   */
  async completeMultipartUpload(
    key: string,
    partsId: string,
    { parts, size }: { parts: readonly SentPart[]; size: number },
  ): Promise<void> {
    const Parts = parts.map(({ part, tag }) => ({ PartNumber: part, ETag: tag }));
    const input = {
      ...this.#requests.objectParams(key),
      UploadId: partsId,
      MultipartUpload: { Parts },
    };
    try {
      await this.#requests.send('long', ({ client, s3 }) =>
        client.send(new s3.CompleteMultipartUploadCommand(input)),
      );
    } catch (error) {
      if ((await this.factsOf(key).catch(() => null))?.size !== size) throw error;
    }
    // If the response to `beginMultipartUpload` was lost, the request was sent again. So abort a
    // second multipart upload that may exist.
    await this.abortMultipartUploads(key).catch(() => {});
  }

  /**
   * Returns a stream of the bytes from `start` to `end`, both inclusive. Throws if the response
   * states another number of bytes. The stream may still end early or fail.
   */
  async get(key: string, start: number, end: number): Promise<Readable> {
    const input = { ...this.#requests.objectParams(key), Range: `bytes=${start}-${end}` };
    const { Body, ContentLength } = await this.#requests.send(
      'quick',
      ({ client, s3 }, abortSignal) => client.send(new s3.GetObjectCommand(input), { abortSignal }),
    );
    const body = Body as Readable | undefined;
    if (body !== undefined && ContentLength === end + 1 - start) return body;
    body?.on('error', () => {}).destroy();
    throw new Error(
      `${this.displayName} returned another number of bytes of ${key} than requested`,
    );
  }

  /**
   * Returns a URL from which anyone can download an object for five minutes (see `createSigner`).
   */
  async signedUrl(key: string, presentation: Presentation): Promise<string> {
    return this.#requests.signedUrl(key, presentation);
  }

  /** Returns size and tag of an object, or null if the object does not exist. */
  async factsOf(key: string): Promise<ObjectFacts | null> {
    try {
      const { ContentLength, ETag } = await this.#requests.send(
        'quick',
        ({ client, s3 }, abortSignal) =>
          client.send(new s3.HeadObjectCommand(this.#requests.objectParams(key)), { abortSignal }),
      );
      return { size: ContentLength ?? 0, tag: ETag ?? '' };
    } catch (error) {
      if (isGone((error as Error).cause)) return null;
      throw error;
    }
  }

  /** Copies an object of at most 5 GiB to a new key. The store copies the bytes itself. */
  async copy(from: string, to: string): Promise<void> {
    const CopySource = this.#requests.sourceOf(from);
    await this.#requests.send('long', ({ client, s3 }) =>
      client.send(new s3.CopyObjectCommand({ ...this.#requests.objectParams(to), CopySource })),
    );
  }

  /**
   * Copies a range of an object into a part of a multipart upload. The bytes are those from `start`
   * to `end`, both inclusive.
   */
  async copyPart(
    from: string,
    { key, partsId, part }: PartPlace,
    { start, end }: { start: number; end: number },
  ): Promise<SentPart> {
    const source = {
      CopySource: this.#requests.sourceOf(from),
      CopySourceRange: `bytes=${start}-${end}`,
    };
    const input = {
      ...this.#requests.objectParams(key),
      ...source,
      UploadId: partsId,
      PartNumber: part,
    };
    const { CopyPartResult } = await this.#requests.send('long', ({ client, s3 }) =>
      client.send(new s3.UploadPartCopyCommand(input)),
    );
    if (CopyPartResult?.ETag === undefined)
      throw new Error(`${this.displayName} returned no ETag for a part`);
    return { part, tag: CopyPartResult.ETag };
  }

  /**
   * Lists the objects whose keys start with the prefix. Yields the objects as the store's responses
   * arrive.
   */
  list(prefix: string): AsyncGenerator<ListedObject> {
    return listObjects(this.#requests, prefix);
  }

  /** Aborts all unfinished multipart uploads of a key. */
  async abortMultipartUploads(key: string): Promise<void> {
    const { Bucket: bucket, Key } = this.#requests.objectParams(key);
    const { Uploads = [] } = await this.#requests.send('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key });
      return client.send(command, { abortSignal });
    });
    for (const { UploadId } of Uploads.filter((each) => each.Key === Key)) {
      await this.#requests
        .send('long', ({ client, s3 }) =>
          client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })),
        )
        .catch(ignoreGone);
    }
  }

  /** Removes an object. Does nothing if the object does not exist. */
  async remove(key: string): Promise<void> {
    await this.#requests
      .send('long', ({ client, s3 }) =>
        client.send(new s3.DeleteObjectCommand(this.#requests.objectParams(key))),
      )
      .catch(ignoreGone);
  }

  /**
   * Checks that the store works: writes an object and removes it. Throws an error with a one-line
   * reason if this fails.
   */
  async check(): Promise<void> {
    // Use the same key each time. If a slow store creates the object only after our timeout, the
    // next check removes the object.
    const key = 'check/object';
    await this.put(key, Buffer.from('x'));
    await this.remove(key);
  }

  async close(): Promise<void> {
    await this.#requests.close();
  }
}

function ignoreGone(error: unknown): void {
  if (!isGone((error as Error).cause)) throw error;
}
