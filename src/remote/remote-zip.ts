import * as dns from 'node:dns';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import {
  DownloadCut,
  type RemoteResponse,
  type RemoteZip,
} from '../core/imports/catalogue/ports.ts';
import { failureReason } from './failure-reason.ts';
import { openResponse, ResponseRejected, refuseEncoded } from './http-get.ts';
import { PrivateAddress } from './public-address.ts';

/** Time in milliseconds after which a request fails if no data is sent or received. */
const defaultIdleMs = 60_000;

/** A zip that is downloaded over HTTP. Redirects are followed as in `openResponse`. */
export class HttpRemoteZip implements RemoteZip {
  readonly url: string;
  readonly #url: URL;
  readonly #idleMs: number;
  readonly #lookup: LookupFunction;

  constructor(parts: {
    /** An http or https URL without credentials. */
    url: string;
    idleMs?: number;
    lookup?: LookupFunction;
  }) {
    this.url = parts.url;
    this.#url = new URL(parts.url);
    this.#idleMs = parts.idleMs ?? defaultIdleMs;
    this.#lookup = parts.lookup ?? (dns.lookup as LookupFunction);
  }

  async open(
    known: { readonly offset: number; readonly tag: string } | null,
    signal: AbortSignal,
  ): Promise<RemoteResponse> {
    signal.throwIfAborted();
    try {
      return await this.#open(known, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof ResponseRejected || error instanceof PrivateAddress;
      return { kind: isFinal ? 'refusal' : 'failure', reason: failureReason(error) };
    }
  }

  async #open(
    known: { readonly offset: number; readonly tag: string } | null,
    signal: AbortSignal,
  ): Promise<RemoteResponse> {
    // With If-Range, the server sends the whole file instead of the range if the file has changed
    // (RFC 9110, 13.1.5).
    const range = known && { range: `bytes=${known.offset}-`, 'if-range': known.tag };
    const response = await openResponse(this.#url, {
      base: this.#url,
      lookup: this.#lookup,
      headers: { accept: 'application/zip, */*', ...range },
      idleMs: this.#idleMs,
      signal,
    });
    const tag = strongTag(response.headers.etag);
    if (known !== null && isOfRange(response) && tag !== null && tag !== known.tag) {
      // The file has changed, but the server ignored If-Range, so request the whole file.
      response.destroy();
      return this.#open(null, signal);
    }
    try {
      return await toRemoteResponse(response, known, signal);
    } catch (error) {
      response.destroy();
      throw error;
    }
  }
}

async function toRemoteResponse(
  response: IncomingMessage,
  known: { readonly offset: number; readonly tag: string } | null,
  signal: AbortSignal,
): Promise<RemoteResponse> {
  const { statusCode: status = 0, headers } = response;
  const tag = strongTag(headers.etag);
  const close = () => void response.destroy();
  if (known !== null && isOfRange(response)) {
    const { offset } = known;
    const [, from, size] = /^bytes (\d+|\*)(?:-\d+)?\/(\d+|\*)$/.exec(rangeOf(response)) ?? [];
    const isWhole = status === 416 && Number(size) === offset;
    if (isWhole) {
      return { kind: 'body', offset, size: offset, tag: known.tag, bytes: none(), close };
    }
    if (status === 206 && Number(from) === offset) {
      refuseEncoded(response);
      const whole = size === '*' ? null : Number(size);
      const bytes = bytesOf(response, signal);
      return { kind: 'body', offset, size: whole, tag: known.tag, bytes, close };
    }
    throw new ResponseRejected('it does not send the rest of the file that it was asked for');
  }
  if (status !== 200) return statusResponse(response, status);
  refuseEncoded(response);
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) throw notZip('a web page');
  const length = headers['content-length'];
  const bytes = await checkedBytes(response, signal);
  return {
    kind: 'body',
    offset: 0,
    size: length === undefined ? null : Number(length),
    tag,
    bytes,
    close,
  };
}

/** Returns true if a server responded to the requested range, instead of sending the whole file. */
function isOfRange({ statusCode }: IncomingMessage): boolean {
  return statusCode === 206 || statusCode === 416;
}

function rangeOf({ headers }: IncomingMessage): string {
  return headers['content-range'] ?? '';
}

/**
 * Returns `tag` if it is a strong entity tag, which stands for exact bytes (RFC 9110, 8.8.1).
 * Otherwise returns null.
 */
function strongTag(tag: string | undefined): string | null {
  return tag?.startsWith('"') ? tag : null;
}

function statusResponse(response: IncomingMessage, status: number): RemoteResponse {
  response.destroy();
  const isTemporary = status >= 500 || status === 408 || status === 429;
  return { kind: isTemporary ? 'failure' : 'refusal', reason: `it answers ${status}` };
}

/**
 * Returns the bytes of a response. Throws `ResponseRejected` if the first four bytes are not those
 * of a zip.
 */
async function checkedBytes(
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const bytes = bytesOf(response, signal);
  let head = Buffer.alloc(0);
  while (head.length < 4) {
    const { value, done } = await bytes.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  // A zip starts with the header of its first file (APPNOTE.TXT 4.3.7).
  if (head.toString('latin1', 0, 4) !== 'PK\x03\x04') {
    throw notZip(/^\s*</.test(head.toString('latin1')) ? 'a web page' : 'something else');
  }
  return (async function* () {
    yield head;
    yield* bytes;
  })();
}

const notZip = (what: string) => new ResponseRejected(`it sends ${what} instead of a zip`);

async function* bytesOf(
  response: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    signal.throwIfAborted();
    throw new DownloadCut(`the connection was cut: ${failureReason(error)}`);
  } finally {
    response.destroy();
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}
