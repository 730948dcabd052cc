import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, PrivateAddress, publicOnly } from './public-address.ts';

const maxRedirects = 5;
/**
 * Maximum number of bytes that are read from a body that is not needed. Such a body is read so that
 * the connection can be reused.
 */
const maxDrainedBytes = 65_536;

/**
 * Thrown if a response was received but is not accepted. The message is a sentence that calls the
 * server "it".
 */
export class ResponseRejected extends Error {}

export interface RequestOptions {
  /** The configured URL. A redirect to another server is followed only to a public address. */
  readonly base: URL;
  readonly lookup: LookupFunction;
  /**
   * Agents that keep connections to the configured server open. If undefined, none are kept open.
   */
  readonly agents?: { readonly http: http.Agent; readonly https: https.Agent };
  readonly headers: http.OutgoingHttpHeaders;
  /** Time in milliseconds after which a request fails if no data is sent or received. */
  readonly idleMs?: number;
  readonly signal: AbortSignal;
}

export interface GetOptions extends Omit<RequestOptions, 'headers' | 'idleMs'> {
  readonly maxBytes: number;
}

export interface FetchedResponse {
  readonly status: number;
  /**
   * Value of a numeric `Retry-After` header, in seconds. Null if there is no such header, or if the
   * status is 200.
   */
  readonly retryAfter: number | null;
  /** The body of a response with status 200. Empty for any other status. */
  readonly body: Buffer;
}

/**
 * Sends a GET request for an image, follows redirects, and returns the response. Throws
 * `ResponseRejected`, `PrivateAddress`, errors of the system, and the signal's reason.
 */
export async function getBytes(start: URL, options: GetOptions): Promise<FetchedResponse> {
  const response = await openResponse(start, { ...options, headers: { accept: 'image/*' } });
  const { statusCode: status = 0, headers } = response;
  if (status === 200) {
    return { status, retryAfter: null, body: await coverBody(response, options.maxBytes) };
  }
  await drain(response);
  const retryAfter = /^\d{1,6}$/.test(headers['retry-after'] ?? '')
    ? Number(headers['retry-after'])
    : null;
  return { status, retryAfter, body: Buffer.alloc(0) };
}

/**
 * Sends a GET request, follows redirects, and returns the response, whose body the caller must read
 * or destroy. Does not use `fetch`, because `fetch` would decode encoded responses (Node's Brotli
 * decoder: CVE-2026-111497). Throws the same errors as `getBytes`.
 */
export async function openResponse(
  start: URL,
  options: RequestOptions,
): Promise<http.IncomingMessage> {
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const response = await requestWithRetry(url, options);
    const { statusCode: status = 0, headers } = response;
    const next = headers.location;
    if (![301, 302, 303, 307, 308].includes(status) || next === undefined) return response;
    await drain(response);
    if (redirects === maxRedirects) throw new ResponseRejected('it redirects too often');
    url = redirectTarget(next, url);
  }
}

/** Throws `ResponseRejected` if the body of a response is encoded, for example by gzip. */
export function refuseEncoded({ headers }: http.IncomingMessage): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw new ResponseRejected('it sends its answer encoded, which was not asked for');
  }
}

function redirectTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new ResponseRejected('it redirects to no address');
  const url = new URL(location, from.href);
  if (!/^https?:$/.test(url.protocol)) throw new ResponseRejected('it redirects away from http(s)');
  return url;
}

/**
 * Sends a request. If the server closed a reused connection at the same moment, retries the request
 * once (Node's documentation, `request.reusedSocket`).
 */
async function requestWithRetry(url: URL, options: RequestOptions): Promise<http.IncomingMessage> {
  try {
    return await request(url, options);
  } catch (error) {
    const isStale = error instanceof Error && 'isStale' in error;
    if (!isStale || options.signal.aborted) throw error;
    return request(url, options);
  }
}

function request(url: URL, options: RequestOptions): Promise<http.IncomingMessage> {
  const { base, lookup, agents, headers, idleMs, signal } = options;
  const isOwn = isSameServer(url, base);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An IP address needs no look-up, so `publicOnly` cannot check it. Check the address here.
  if (!isOwn && isIP(host) !== 0 && !isPublicAddress(host)) {
    return Promise.reject(new PrivateAddress(host));
  }
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? https : http).request({
      method: 'GET',
      protocol: url.protocol,
      hostname: host,
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'catalog' },
      // Keep connections open only to the configured server. Every connection to another server is
      // new, so that the server's address is checked each time.
      agent: (isOwn && (isSecure ? agents?.https : agents?.http)) ?? false,
      lookup: isOwn ? lookup : publicOnly(lookup),
      signal,
    });
    if (idleMs !== undefined) {
      const silent = () => sent.destroy(new Error(`it sent nothing for ${idleMs / 1000} s`));
      sent.setTimeout(idleMs, silent);
    }
    sent.on('response', resolve);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
      reject(isStale ? Object.assign(error, { isStale }) : error);
    });
    sent.end();
  });
}

/**
 * Returns true if a URL is on the configured server. The host must be the same. The port and the
 * protocol must also be the same. A change from http to https is allowed if both use their default
 * ports. Addresses of the configured server are not checked, because the server may be in a private
 * network.
 */
function isSameServer(url: URL, base: URL): boolean {
  const isUpgrade = base.protocol === 'http:' && url.protocol === 'https:' && url.port === '';
  const isSamePort = url.port === base.port && url.protocol === base.protocol;
  return url.hostname === base.hostname && (isSamePort || (isUpgrade && base.port === ''));
}

async function coverBody(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    refuseEncoded(response);
    const { 'content-length': length } = response.headers;
    const tooLarge = () => new ResponseRejected(`it sends more than ${maxBytes} bytes`);
    if (Number(length) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let total = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy(); // has no effect if the response was read to its end
  }
}

async function drain(response: http.IncomingMessage): Promise<void> {
  let total = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxDrainedBytes) return; // leaving the loop destroys the response
  }
}
