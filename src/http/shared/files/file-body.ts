import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { OpenedFile } from '../../../core/shared/files/file-area.ts';
import type { ByteRange } from './byte-range.ts';

/** Size of a large buffer, in bytes. Larger buffers are hardly any faster. */
export const largeBytes = 512 * 1024;

/**
 * Maximum number of pairs in use, one per client. Fast clients that stall therefore occupy at most
 * 32 MiB.
 */
const maxPairs = 32;

/** Maximum number of free pairs that are retained for reuse. */
const maxFreePairs = 2;

type BufferPair = readonly [Buffer, Buffer];

/**
 * A pool of buffer pairs for fast clients. While one buffer of a pair is sent, the other is filled.
 */
export class LargeBuffers {
  readonly #free: BufferPair[] = [];
  #inUse = 0;

  /** Number of pairs in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Returns a pair, or null if `maxPairs` pairs are in use. */
  acquire(): BufferPair | null {
    if (this.#inUse >= maxPairs) return null;
    this.#inUse += 1;
    return this.#free.pop() ?? [allocateBuffer(), allocateBuffer()];
  }

  /** Returns a pair to the pool. No read or write may still be using the pair. */
  release(pair: BufferPair): void {
    this.discard();
    if (this.#free.length < maxFreePairs) this.#free.push(pair);
  }

  /** Gives up a pair that the operating system may still read or write. The pair is not reused. */
  discard(): void {
    this.#inUse -= 1;
  }
}

/**
 * Creates a buffer with its own memory. The memory is not cleared, because only bytes that were
 * read into the buffer are sent.
 */
const allocateBuffer = () => Buffer.allocUnsafeSlow(largeBytes);

/** Size of a piece for clients that are not known to be fast, in bytes. */
const smallBytes = 64 * 1024;
/** Number of bytes after which a client is considered fast, if it accepted all of them promptly. */
const probationBytes = 1_048_576;
/** Maximum time in which a client must accept a piece to count as prompt, in milliseconds. */
const promptMs = 500;

const sharedBuffers = new LargeBuffers();
const connectionClosed = new Error('the connection is closed');

/**
 * A response body that is a range of an open file. Pipe it into the response.
 *
 * The bytes are read into reused buffers. A fast client gets two large buffers: the server fills
 * one buffer while it sends the other. Any other client gets one small buffer.
 *
 * The stream fails if the file ends before the range does, so that no response is silently
 * truncated. Destroying the stream closes the file.
 */
export class FileBody extends Readable {
  readonly #file: OpenedFile;
  readonly #end: number;
  readonly #large: LargeBuffers;
  #position: number;
  /** Aborts the write that is waiting for the client. */
  #giveUp: ((error: Error) => void) | null = null;

  constructor(file: OpenedFile, { start, end }: ByteRange, large = sharedBuffers) {
    super({ read() {} });
    this.#large = large;
    this.#file = file;
    this.#position = start;
    this.#end = end;
  }

  /**
   * Writes the range directly to `response`, bypassing this stream's own buffer. `response` must
   * already have its `Content-Length`.
   */
  override pipe<Response extends NodeJS.WritableStream>(response: Response): Response {
    this.#send(response as unknown as ServerResponse).then(
      () => {
        response.end();
        this.push(null);
        this.resume(); // makes this stream emit its end
      },
      (error: Error) => void this.destroy(error === connectionClosed ? undefined : error),
    );
    return response;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#giveUp?.(connectionClosed);
    this.#file.close().then(
      () => done(error),
      (closeError: Error) => done(error ?? closeError),
    );
  }

  async #send(response: ServerResponse): Promise<void> {
    const small = Buffer.allocUnsafeSlow(Math.min(smallBytes, this.#left));
    let proven = await this.#sendSlowly(response, small, probationBytes);
    while (this.#left > 0) {
      const pair = proven ? this.#large.acquire() : null;
      if (pair !== null) await this.#sendFast(response, pair);
      proven = await this.#sendSlowly(response, small, probationBytes);
    }
  }

  get #left(): number {
    return this.#end + 1 - this.#position;
  }

  /** Sends about `maxBytes` bytes. Returns true if the client accepted every piece promptly. */
  async #sendSlowly(response: ServerResponse, buffer: Buffer, maxBytes: number): Promise<boolean> {
    let isPrompt = true;
    for (let sent = 0; sent < maxBytes && this.#left > 0; ) {
      const piece = await this.#read(buffer);
      isPrompt = (await this.#write(response, piece)) && isPrompt;
      sent += piece.byteLength;
    }
    return isPrompt;
  }

  /**
   * Sends the rest of the range, but stops after a piece that the client did not accept promptly.
   */
  async #sendFast(response: ServerResponse, pair: readonly [Buffer, Buffer]): Promise<void> {
    let isReusable = false;
    try {
      let piece = await this.#read(pair[0]);
      for (let turn = 1; ; turn += 1) {
        const writing = this.#write(response, piece);
        const next = pair[turn % 2] as Buffer;
        const [isPrompt, read] = await Promise.all([
          writing,
          this.#left > 0 ? this.#read(next) : null,
        ]);
        if (read === null) break;
        piece = read;
        if (isPrompt) continue;
        await this.#write(response, piece);
        break;
      }
      isReusable = true;
    } finally {
      if (isReusable) this.#large.release(pair);
      else this.#large.discard();
    }
  }

  async #read(buffer: Buffer): Promise<Buffer> {
    const wanted = buffer.subarray(0, Math.min(buffer.byteLength, this.#left));
    const count = await this.#file.read(wanted, this.#position);
    if (count === 0) throw new Error(`${this.#file.name} became shorter while it was read`);
    this.#position += count;
    return wanted.subarray(0, count);
  }

  /**
   * Writes bytes. Resolves when the operating system has accepted them: to true if it did so
   * promptly, else to false. Rejects when the connection is closed.
   */
  #write(response: ServerResponse, bytes: Buffer): Promise<boolean> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      this.#giveUp = reject; // the callback is not called if a queued response is closed
      response.write(bytes, (error) => {
        if (error) reject(connectionClosed);
        else resolve(performance.now() - since < promptMs);
      });
    });
  }
}
