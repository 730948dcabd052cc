import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BucketAsker, type Bytes } from './bucket-asker.ts';
import { type ListedObject, listObjects } from './list-objects.ts';
import type { BucketAddress } from './s3-client.ts';
import { isGone } from './s3-error.ts';

/** A part that was sent; `tag` is the store's. */
export interface SentPart {
  readonly part: number;
  readonly tag: string;
}

/** A part that is sent: of which object, and its number. */
interface PartPlace {
  readonly key: string;
  readonly partsId: string;
  readonly part: number;
}

/** What tells one version of an object from another. */
export interface ObjectFacts {
  /** Bytes. */
  readonly size: number;
  /** The store's. */
  readonly tag: string;
}

/** The objects below an address, by their keys. What fails is thrown as `asObjectError` has it. */
export class Bucket {
  readonly #asker: BucketAsker;

  constructor(address: BucketAddress) {
    this.#asker = new BucketAsker(address);
  }

  /** What it is called in messages. */
  get where(): string {
    return this.#asker.where;
  }

  /** `s3://bucket/prefix`. */
  get address(): string {
    return this.#asker.pathOf('s3:/');
  }

  /** Stores a small object. */
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

  /** Begins an object in parts; returns what they are called by. */
  async beginParts(key: string): Promise<string> {
    const { UploadId } = await this.#asker.ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.CreateMultipartUploadCommand(this.#asker.at(key)), { abortSignal }),
    );
    if (UploadId === undefined) throw new Error(`${this.where} gave no name for parts`);
    return UploadId;
  }

  async putPart({ key, partsId, part }: PartPlace, size: number, open: Bytes): Promise<SentPart> {
    const { ETag } = await this.#asker.sending(open, ({ client, s3 }, Body, abortSignal) => {
      const input = { ...this.#asker.at(key), UploadId: partsId, PartNumber: part };
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
    const input = { ...this.#asker.at(key), UploadId: partsId, MultipartUpload: { Parts } };
    try {
      await this.#asker.ask('long', ({ client, s3 }) =>
        client.send(new s3.CompleteMultipartUploadCommand(input)),
      );
    } catch (error) {
      if ((await this.factsOf(key).catch(() => null))?.size !== size) throw error;
    }
    // Others may have been begun whose answer was lost.
    await this.abortParts(key).catch(() => {});
  }

  /** The bytes from `start` to `end`, both inclusive; it may end early, or fail. */
  async get(key: string, start: number, end: number): Promise<Readable> {
    const input = { ...this.#asker.at(key), Range: `bytes=${start}-${end}` };
    const { Body, ContentLength } = await this.#asker.ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.GetObjectCommand(input), { abortSignal }),
    );
    const body = Body as Readable | undefined;
    if (body !== undefined && ContentLength === end + 1 - start) return body;
    body?.on('error', () => {}).destroy();
    throw new Error(`${this.where} has other bytes at ${key} than it was given`);
  }

  /** Null when there is no such object. */
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

  /** Makes an object of the bytes of another one of at most 5 GiB, which the store copies by itself. */
  async copy(from: string, to: string): Promise<void> {
    const CopySource = this.#asker.sourceOf(from);
    await this.#asker.ask('long', ({ client, s3 }) =>
      client.send(new s3.CopyObjectCommand({ ...this.#asker.at(to), CopySource })),
    );
  }

  /** The same with a part of it: bytes from `start` to `end`, both inclusive. */
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
    if (CopyPartResult?.ETag === undefined) throw new Error(`${this.where} gave no tag for a part`);
    return { part, tag: CopyPartResult.ETag };
  }

  /** The objects whose keys begin so, as they are listed. */
  list(prefix: string): AsyncGenerator<ListedObject> {
    return listObjects(this.#asker, prefix);
  }

  /** Drops what was begun in parts under a key and is no object. */
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

  /** Nothing happens where there is none. */
  async remove(key: string): Promise<void> {
    await this.#asker
      .ask('long', ({ client, s3 }) => client.send(new s3.DeleteObjectCommand(this.#asker.at(key))))
      .catch(orGone);
  }

  /** Writes something and removes it again. Throws with a line that says why it cannot. */
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
