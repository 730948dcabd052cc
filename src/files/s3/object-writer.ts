import type { Bucket, SentPart } from './client/bucket.ts';
import { Spool } from './part-spool.ts';
import { lastPart, partSize } from './uploads/part-size.ts';

/** Maximum size, in bytes, of an object that is buffered in memory, such as a cover. */
const maxInMemory = 256 * 1024;

/**
 * Returns the maximum number of bytes that an `ObjectWriter` stores on disk at a time, for an
 * object of this size.
 */
export function maxSpooledBytes(bytes: number): number {
  if (bytes <= maxInMemory) return 0;
  let [max, sending, left] = [0, 0, bytes];
  for (let number = 1; left > 0 && number <= lastPart; number++) {
    const filling = Math.min(left, partSize(number));
    max = Math.max(max, sending + filling);
    [sending, left] = [filling, left - filling];
  }
  return max;
}

/**
 * Sends any number of bytes as one object. A small object is buffered in memory, a larger one in a
 * file in `tmp`. If the bytes exceed one part, they are sent in parts. While one part is sent, the
 * next part is written to disk.
 */
export class ObjectWriter {
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #tmp: string;
  readonly #onPart: () => Promise<void>;
  #small: Uint8Array[] | null = [];
  #size = 0;
  #partsId: string | null = null;
  #number = 0;
  #filling: Spool | null = null;
  #sending: { spool: Spool; sent: Promise<SentPart> } | null = null;
  readonly #parts: SentPart[] = [];

  constructor(options: {
    bucket: Bucket;
    key: string;
    tmp: string;
    /** Called before each part is sent, and before the object is completed. */
    onPart: () => Promise<void>;
  }) {
    this.#bucket = options.bucket;
    this.#key = options.key;
    this.#tmp = options.tmp;
    this.#onPart = options.onPart;
  }

  /** Adds bytes. The caller must not change the bytes until the promise resolves. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.byteLength;
    if (this.#small !== null) {
      if (this.#size <= maxInMemory) return void this.#small.push(Uint8Array.from(bytes));
      const small = this.#small;
      this.#small = null;
      for (const each of small) await this.#fill(each);
    }
    await this.#fill(bytes);
  }

  /** Completes the object. Resolves when the object is stored durably. */
  async end(): Promise<void> {
    await this.#onPart();
    if (this.#small !== null) return this.#bucket.put(this.#key, Buffer.concat(this.#small));
    const spool = this.#filling;
    if (this.#partsId === null && spool !== null) {
      return this.#bucket.putStream(this.#key, spool.size, () => spool.read());
    }
    if (spool !== null) await this.#send(spool);
    await this.#awaitSentPart();
    const whole = { parts: this.#parts, size: this.#size };
    await this.#bucket.completeMultipartUpload(this.#key, this.#partsId ?? '', whole);
  }

  /** Removes the files on disk; never throws. */
  async close(): Promise<void> {
    await this.#sending?.sent.catch(() => {});
    await this.#sending?.spool.drop();
    await this.#filling?.drop();
  }

  /**
   * Writes bytes to the disk, part by part. A full part is sent only when more bytes follow, so the
   * last part is never empty.
   */
  async #fill(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength; ) {
      const full = partSize(this.#number + 1);
      if (this.#filling !== null && this.#filling.size >= full) await this.#send(this.#filling);
      this.#filling ??= new Spool(this.#tmp);
      const piece = bytes.subarray(at, at + full - this.#filling.size);
      await this.#filling.write(piece);
      at += piece.byteLength;
    }
  }

  async #send(spool: Spool): Promise<void> {
    if (this.#number === lastPart) throw new Error(`${this.#key} has more parts than S3 allows`);
    await this.#awaitSentPart();
    await this.#onPart();
    this.#partsId ??= await this.#bucket.beginMultipartUpload(this.#key);
    this.#number += 1;
    this.#filling = null;
    const place = { key: this.#key, partsId: this.#partsId, part: this.#number };
    const sent = this.#bucket.putPart(place, spool.size, () => spool.read());
    sent.catch(() => {}); // `#awaitSentPart` throws the error
    this.#sending = { spool, sent };
  }

  async #awaitSentPart(): Promise<void> {
    if (this.#sending === null) return;
    const { spool, sent } = this.#sending;
    this.#parts.push(await sent);
    this.#sending = null;
    await spool.drop();
  }
}
