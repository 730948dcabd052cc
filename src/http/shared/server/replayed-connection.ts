import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection taken from a server so that the server can parse it again: emit 'connection' on the
 * `http.Server` with this object. Reading yields the bytes `first`, then the bytes of the socket.
 * Writes go to the socket.
 */
export class ReplayedConnection extends Duplex {
  readonly raw: Socket;
  #isReleased = false;

  constructor(raw: Socket, first: Buffer) {
    super({ allowHalfOpen: true });
    this.raw = raw;
    for (const name of ['data', 'end', 'timeout', 'error', 'drain']) raw.removeAllListeners(name);
    raw.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout);
    raw.on('error', this.#onError).on('close', this.#onClose);
    this.push(first);
  }

  get remoteAddress(): string | undefined {
    return this.raw.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.raw.remotePort;
  }

  /**
   * Number of bytes that the operating system has accepted, plus the bytes waiting in this stream.
   */
  get bytesWritten(): number {
    const { bytesWritten, writableLength } = this.raw;
    const { _handle } = this.raw as { _handle?: { writeQueueSize?: number } | null };
    return bytesWritten - writableLength - (_handle?.writeQueueSize ?? 0) + this.writableLength;
  }

  setTimeout(ms: number): this {
    this.raw.setTimeout(ms);
    return this;
  }

  /** Closes the connection once everything is written, like `Socket.destroySoon`. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /**
   * Stops reading and returns the bytes that were not parsed yet. Responses can still be written.
   */
  stopReading(): Buffer {
    this.raw.off('data', this.#onData).off('end', this.#onEnd);
    this.removeAllListeners('data').removeAllListeners('end');
    const rest: Buffer[] = [];
    for (let each = this.read(); each !== null; each = this.read()) rest.push(each);
    return Buffer.concat(rest);
  }

  /**
   * Ends this connection without closing its socket, because another connection takes over the
   * socket.
   */
  release(): void {
    this.#isReleased = true;
    this.raw
      .off('timeout', this.#onTimeout)
      .off('error', this.#onError)
      .off('close', this.#onClose);
    this.raw.on('error', () => {}); // ignores errors until the other connection listens
    this.destroy();
  }

  override _read(): void {
    this.raw.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.raw.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.raw.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isReleased) this.raw.destroy();
    done(error);
  }

  readonly #onData = (chunk: Buffer) => {
    if (!this.push(chunk)) this.raw.pause();
  };
  readonly #onEnd = () => void this.push(null);
  readonly #onTimeout = () => void this.emit('timeout');
  readonly #onError = (error: Error) => void this.destroy(error);
  readonly #onClose = () => void this.destroy();
}
