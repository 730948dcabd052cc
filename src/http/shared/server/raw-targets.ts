import { isUtf8 } from 'node:buffer';
import { METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { invalidUrl } from '../../../core/shared/errors.ts';
import { headerOverflowCode } from './refuse-malformed.ts';
import { ReplayedConnection } from './replayed-connection.ts';

/** An error of Node's HTTP parser. */
interface ParseError extends Error {
  readonly code?: string;
  /** The packet that contains the error. The parser accepted its first `bytesParsed` bytes. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

export interface RawTargetParts {
  /** Resolves when all earlier requests of a connection have their responses. */
  readonly waitForResponse: (socket: Socket) => Promise<void>;
  /** Refuses a request whose target cannot be read. */
  readonly refuse: (error: Error & { code?: string }, socket: Socket) => void;
  /** Maximum size of a request's head, in bytes. */
  readonly maxBytes: number;
}

/**
 * Accepts requests whose target has bytes above 0x7F, as if those bytes were percent-encoded.
 *
 * Node's parser refuses such a request. The connection is then taken from the parser, and the
 * request is parsed again with an encoded target. Other requests therefore have no extra cost. If
 * the method is in an earlier packet than the target, the request stays refused, because earlier
 * packets cannot be read again.
 */
export class RawTargets {
  readonly #server: Server;
  readonly #parts: RawTargetParts;
  /**
   * Connections that were taken from their parser. `isRead` is true once the target is complete.
   */
  readonly #takenOver = new WeakMap<Socket, { isRead: boolean }>();

  constructor(server: Server, parts: RawTargetParts) {
    this.#server = server;
    this.#parts = parts;
  }

  /**
   * Takes over a connection on which Node's parser refused a request. Returns true if this class
   * reads the request, or if the connection was taken over before.
   */
  takeOver(given: Error, socket: Socket): boolean {
    const error: ParseError = given;
    const taken = this.#takenOver.get(socket);
    if (taken !== undefined) {
      if (!taken.isRead) socket.destroy(); // the target did not arrive in time
      return true;
    }
    const start = startOfRequest(error);
    if (start === null) return false;
    this.#takenOver.set(socket, { isRead: false });
    const packet = error.rawPacket?.subarray(start) ?? Buffer.alloc(0);
    const old = asReplayedConnection(socket);
    if (old === null) socket.removeAllListeners('data').removeAllListeners('end');
    const first = old === null ? packet : Buffer.concat([packet, old.stopReading()]);
    this.#readTarget(old?.raw ?? socket, first, socket);
    return true;
  }

  /**
   * Reads from `raw` until the target is complete. Responses to earlier requests are written to the
   * socket `output`.
   */
  #readTarget(raw: Socket, first: Buffer, output: Socket): void {
    let bytes = first;
    const take = () => {
      const end = endOfTarget(bytes);
      if (end === null && bytes.length <= this.#parts.maxBytes) return;
      raw.pause();
      raw.off('data', onData).off('end', onEnd);
      this.#takenOver.set(output, { isRead: true });
      void this.#replay(raw, bytes, end, output);
    };
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      take();
    };
    const onEnd = () => raw.destroySoon();
    raw.on('data', onData).on('end', onEnd);
    take();
  }

  async #replay(raw: Socket, bytes: Buffer, end: number | null, output: Socket) {
    await this.#parts.waitForResponse(output);
    if (raw.destroyed) return;
    const target = bytes.subarray(0, end ?? 0);
    if (end === null) this.#parts.refuse(targetTooLong(), output);
    else if (!isUtf8(target)) this.#parts.refuse(invalidUrl(), output);
    else {
      asReplayedConnection(output)?.release();
      const again = new ReplayedConnection(
        raw,
        Buffer.concat([encoded(target), bytes.subarray(end)]),
      );
      this.#server.emit('connection', again);
    }
  }
}

/**
 * Returns the socket if it is a `ReplayedConnection`; null for a normal socket. TypeScript's types
 * for the events of a server only know normal sockets.
 */
function asReplayedConnection(socket: unknown): ReplayedConnection | null {
  return socket instanceof ReplayedConnection ? socket : null;
}

/**
 * Returns the offset, in the packet, of the request whose target was refused for a byte above 0x7F.
 * Returns null for other errors, or if the offset is unknown.
 */
function startOfRequest({ code, rawPacket, bytesParsed = 0 }: ParseError): number | null {
  if (code !== 'HPE_INVALID_URL' || (rawPacket?.[bytesParsed] ?? 0) < 0x80) return null;
  // A target contains no space, so the last space before the error ends the method. The previous
  // request's body may directly precede the method. Therefore look for a known method name that
  // ends at the space.
  const blank = rawPacket?.lastIndexOf(' ', bytesParsed) ?? -1;
  const before = rawPacket?.toString('latin1', Math.max(0, blank - maxMethodLength), blank) ?? '';
  const lengths = METHODS.filter((each) => before.endsWith(each)).map(({ length }) => length);
  return blank === -1 || lengths.length === 0 ? null : blank - Math.max(...lengths);
}

const maxMethodLength = Math.max(...METHODS.map(({ length }) => length));

const targetTooLong = () =>
  Object.assign(new Error('the target is too long'), { code: headerOverflowCode });

/**
 * Returns the offset of the target's end, which is a space or the end of the line. Returns null if
 * the end has not been received yet.
 */
function endOfTarget(bytes: Buffer): number | null {
  const start = bytes.indexOf(' ') + 1;
  const end = bytes.subarray(start).findIndex((byte) => byte <= 0x20);
  return end === -1 ? null : start + end;
}

/** Percent-encodes every byte above 0x7F. */
function encoded(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return Buffer.from(text, 'latin1');
}
