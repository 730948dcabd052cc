import { type FileHandle, open } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';

const pieceBytes = 256 * 1024;

/**
 * A request body that is read from a file on disk. Only `pipe` is supported. The file is read into
 * one reused buffer, because V8 lets 64 MiB of buffers accumulate before V8 frees unused buffers.
 */
export class DiskBody extends Readable {
  readonly #handle: FileHandle;
  #closing: Promise<void> | null = null;

  static async open(path: string): Promise<DiskBody> {
    return new DiskBody(await open(path));
  }

  private constructor(handle: FileHandle) {
    super({ read() {} });
    this.#handle = handle;
  }

  override pipe<Request extends NodeJS.WritableStream>(request: Request): Request {
    this.#send(request as unknown as Writable).then(
      () => request.end(),
      (error: Error) => this.destroy(error),
    );
    return request;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#closing ??= this.#handle.close();
    this.#closing.then(
      () => done(error),
      (closeError: Error) => done(error ?? closeError),
    );
  }

  async #send(request: Writable): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(pieceBytes);
    while (!this.destroyed) {
      const { bytesRead } = await this.#handle.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) return;
      await writeToRequest(request, buffer.subarray(0, bytesRead));
    }
  }
}

/**
 * Writes bytes to a request. Resolves when the operating system has accepted the bytes; rejects
 * when the connection is closed.
 */
function writeToRequest(request: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    request.once('close', reject);
    request.write(bytes, (error) => {
      request.off('close', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}
