import { isUtf8 } from 'node:buffer';
import { METHODS, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { invalidUrl } from '../../core/shared/errors.ts';
import { tooLarge } from './refuse-malformed.ts';
import { TakenConnection } from './taken-connection.ts';

/** What Node's parser says of a request. */
export interface ParseError extends Error {
  readonly code?: string;
  /** The bytes that it was reading, and how many of them it took. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

export interface RawTargetParts {
  /** Resolves when everything that was asked for on a connection before is answered. */
  readonly untilAnswered: (socket: Socket) => Promise<void>;
  /** Refuses a request whose target cannot be read. */
  readonly refuse: (error: Error & { code?: string }, socket: Socket) => void;
  /** Of a request's first line and header fields together. */
  readonly mostBytes: number;
}

/**
 * Reads requests whose target has bytes above 0x7F, which Node's parser refuses: as if those bytes were percent-encoded. The
 * connection is taken from the parser that refused it, and the server parses it anew from the encoded target on. So only such
 * requests cost anything. The parser keeps to itself what it took of earlier packets: a target that begins in one of them
 * stays refused.
 */
export class RawTargets {
  readonly #server: Server;
  readonly #parts: RawTargetParts;
  /** Connections whose parser has no more say, by whether their target is still to come in whole. */
  readonly #taken = new WeakMap<Socket, { isRead: boolean }>();

  constructor(server: Server, parts: RawTargetParts) {
    this.#server = server;
    this.#parts = parts;
  }

  /** Whether the refused request is dealt with here, or its parser has no more say about the connection. */
  take(error: ParseError, socket: Socket): boolean {
    const taken = this.#taken.get(socket);
    if (taken !== undefined) {
      if (!taken.isRead) socket.destroy(); // its head did not come in time
      return true;
    }
    const start = startOfRequest(error);
    if (start === null) return false;
    this.#taken.set(socket, { isRead: false });
    const packet = error.rawPacket?.subarray(start) ?? Buffer.alloc(0);
    const old = takenConnection(socket);
    if (old === null) socket.removeAllListeners('data').removeAllListeners('end');
    const first = old === null ? packet : Buffer.concat([packet, old.stopReading()]);
    this.#readTarget(old?.raw ?? socket, first, socket);
    return true;
  }

  /** Reads on until the target is there in whole. `answering` is what earlier answers are written to. */
  #readTarget(raw: Socket, first: Buffer, answering: Socket): void {
    let bytes = first;
    const take = () => {
      const end = endOfTarget(bytes);
      if (end === null && bytes.length <= this.#parts.mostBytes) return;
      raw.pause();
      raw.off('data', onData).off('end', onEnd);
      this.#taken.set(answering, { isRead: true });
      void this.#readAnew(raw, bytes, end, answering);
    };
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      take();
    };
    const onEnd = () => raw.destroySoon();
    raw.on('data', onData).on('end', onEnd);
    take();
  }

  async #readAnew(raw: Socket, bytes: Buffer, end: number | null, answering: Socket) {
    await this.#parts.untilAnswered(answering);
    if (raw.destroyed) return;
    const target = bytes.subarray(0, end ?? 0);
    if (end === null) this.#parts.refuse(tooLong(), answering);
    else if (!isUtf8(target)) this.#parts.refuse(invalidUrl(), answering);
    else {
      takenConnection(answering)?.release();
      const again = new TakenConnection(raw, Buffer.concat([encoded(target), bytes.subarray(end)]));
      this.#server.emit('connection', again);
    }
  }
}

/** The same, where it is no socket of the system; the types of a server's events know sockets only. */
function takenConnection(socket: unknown): TakenConnection | null {
  return socket instanceof TakenConnection ? socket : null;
}

/** Where the request begins whose target the parser refused for a byte above 0x7F; null when that is not why, or not known. */
function startOfRequest({ code, rawPacket, bytesParsed = 0 }: ParseError): number | null {
  if (code !== 'HPE_INVALID_URL' || (rawPacket?.[bytesParsed] ?? 0) < 0x80) return null;
  // A target has no blank; what is before that behind the method may be the body of another request.
  const blank = rawPacket?.lastIndexOf(' ', bytesParsed) ?? -1;
  const before = rawPacket?.toString('latin1', Math.max(0, blank - longestMethod), blank) ?? '';
  const lengths = METHODS.filter((each) => before.endsWith(each)).map(({ length }) => length);
  return blank === -1 || lengths.length === 0 ? null : blank - Math.max(...lengths);
}

const longestMethod = Math.max(...METHODS.map(({ length }) => length));

const tooLong = () => Object.assign(new Error('the target is too long'), { code: tooLarge });

/** Where the blank or the end of the line is that ends the target; null while it is not there. */
function endOfTarget(bytes: Buffer): number | null {
  const start = bytes.indexOf(' ') + 1;
  const end = bytes.subarray(start).findIndex((byte) => byte <= 0x20);
  return end === -1 ? null : start + end;
}

/** With every byte above 0x7F percent-encoded. */
function encoded(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return Buffer.from(text, 'latin1');
}
