import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BucketAsker, type Bytes } from './bucket-requests.ts';
import { type ListedObject, listObjects } from './list-objects.ts';
import type { BucketAddress } from './s3-client.ts';
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
  readonly #asker: BucketAsker;

  constructor(address: BucketAddress) {
    this.#asker = new BucketAsker(address);
  }

  /** Name of the bucket in messages. */
  get where(): string {
    return this.#asker.where;
  }

  /** URL of the form `s3://bucket/prefix`. */
  get address(): string {
    return this.#asker.pathOf('s3:/');
  }

  /** Stores a small object from memory. */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.#asker.ask('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.PutObjectCommand({ ...this.#asker.at(key), Body: bytes });
      return client.send(command, { abortSignal });
    });
  }

  /** Stores an object of at most 5 GiB. */
  async putStream(key: string, size: number, open: Bytes): Promise<void> {
    await this.#asker.sending(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#asker.at(key), Body, ContentLength: size };
      return client.send(new s3.PutObjectCommand(input), { abortSignal });
    });
  }

  /** Starts a multipart upload and returns its id. */
  async beginParts(key: string): Promise<string> {
    const { UploadId } = await this.#asker.ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.CreateMultipartUploadCommand(this.#asker.at(key)), { abortSignal }),
    );
    if (UploadId === undefined)
      throw new Error(`${this.where} returned no id for the multipart upload`);
    return UploadId;
  }

  async putPart({ key, partsId, part }: PartPlace, size: number, open: Bytes): Promise<SentPart> {
    const { ETag } = await this.#asker.sending(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#asker.at(key), UploadId: partsId, PartNumber: part };
      const command = new s3.UploadPartCommand({ ...input, Body, ContentLength: size });
      return client.send(command, { abortSignal });
    });
    if (ETag === undefined) throw new Error(`${this.where} returned no ETag for a part`);
    return { part, tag: ETag };
  }

  /**
   * Completes a multipart upload into one object of `size` bytes. Also succeeds if the multipart
   * upload was completed before.
   */
  async finishParts(
    key: string,
    partsId: string,
    { parts, size }: { parts: readonly SentPart[]; size: number },
  ): Promise<void> {
    const Parts = parts.map(({ part, tag }) => ({ PartNumber: part, ETag: tag }));
    const input = { ...this.#asker.at(key), UploadId: partsId, MultipartUpload: { Parts } };
    try {
      await this.#asker.ask('long', ({ client, s3 }) =>
        client.send(new s3.CompleteMultipartUploadCommand(input)),
      );
    } catch (error) {
      if ((await this.factsOf(key).catch(() => null))?.size !== size) throw error;
    }
    // If the response to `beginParts` was lost, the request was sent again. So abort a second
    // multipart upload that may exist.
    await this.abortParts(key).catch(() => {});
  }

  /**
   * Returns a stream of the bytes from `start` to `end`, both inclusive. The stream may end early
   * or fail. Throws if the store sends another number of bytes.
   */
  async get(key: string, start: number, end: number): Promise<Readable> {
    const input = { ...this.#asker.at(key), Range: `bytes=${start}-${end}` };
    const { Body, ContentLength } = await this.#asker.ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.GetObjectCommand(input), { abortSignal }),
    );
    const body = Body as Readable | undefined;
    if (body !== undefined && ContentLength === end + 1 - start) return body;
    body?.on('error', () => {}).destroy();
    throw new Error(`${this.where} returned another number of bytes of ${key} than requested`);
  }

  /** Returns size and tag of an object, or null if the object does not exist. */
  async factsOf(key: string): Promise<ObjectFacts | null> {
    try {
      const { ContentLength, ETag } = await this.#asker.ask(
        'quick',
        ({ client, s3 }, abortSignal) =>
          client.send(new s3.HeadObjectCommand(this.#asker.at(key)), { abortSignal }),
      );
      return { size: ContentLength ?? 0, tag: ETag ?? '' };
    } catch (error) {
      if (isGone((error as Error).cause)) return null;
      throw error;
    }
  }

  /** Copies an object of at most 5 GiB to a new key. The store copies the bytes itself. */
  async copy(from: string, to: string): Promise<void> {
    const CopySource = this.#asker.sourceOf(from);
    await this.#asker.ask('long', ({ client, s3 }) =>
      client.send(new s3.CopyObjectCommand({ ...this.#asker.at(to), CopySource })),
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
      CopySource: this.#asker.sourceOf(from),
      CopySourceRange: `bytes=${start}-${end}`,
    };
    const input = { ...this.#asker.at(key), ...source, UploadId: partsId, PartNumber: part };
    const { CopyPartResult } = await this.#asker.ask('long', ({ client, s3 }) =>
      client.send(new s3.UploadPartCopyCommand(input)),
    );
    if (CopyPartResult?.ETag === undefined)
      throw new Error(`${this.where} returned no ETag for a part`);
    return { part, tag: CopyPartResult.ETag };
  }

  /**
   * Lists the objects whose keys start with the prefix. Yields the objects as the store's responses
   * arrive.
   */
  list(prefix: string): AsyncGenerator<ListedObject> {
    return listObjects(this.#asker, prefix);
  }

  /** Aborts all unfinished multipart uploads of a key. */
  async abortParts(key: string): Promise<void> {
    const { Bucket: bucket, Key } = this.#asker.at(key);
    const { Uploads = [] } = await this.#asker.ask('quick', ({ client, s3 }, abortSignal) => {
      const command = new s3.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key });
      return client.send(command, { abortSignal });
    });
    for (const { UploadId } of Uploads.filter((each) => each.Key === Key)) {
      await this.#asker
        .ask('long', ({ client, s3 }) =>
          client.send(new s3.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })),
        )
        .catch(orGone);
    }
  }

  /** Removes an object. Does nothing if the object does not exist. */
  async remove(key: string): Promise<void> {
    await this.#asker
      .ask('long', ({ client, s3 }) => client.send(new s3.DeleteObjectCommand(this.#asker.at(key))))
      .catch(orGone);
  }

  /**
   * Checks that the store works: writes an object and removes it. Throws an error with a one-line
   * reason if this fails.
   */
  async check(): Promise<void> {
    const key = `check/${randomUUID()}`;
    await this.put(key, Buffer.from('x'));
    await this.remove(key);
  }

  async close(): Promise<void> {
    await this.#asker.close();
  }
}

function orGone(error: unknown): void {
  if (!isGone((error as Error).cause)) throw error;
}
