import * as dns from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { CoverSearchTerms, CoverSource, SourceResponse } from '../core/covers/ports.ts';
import { Limiter } from '../core/shared/concurrency/limiter.ts';
import { pause } from '../core/shared/concurrency/pause.ts';
import { failureReason } from './failure-reason.ts';
import { type FetchedResponse, getBytes, ResponseRejected } from './http-get.ts';
import { PrivateAddress } from './public-address.ts';

/** Time limit, in milliseconds, for all requests for one release together, including redirects. */
const defaultTimeoutMs = 15_000;
const maxBytes = 10 * 1_048_576;
const maxConcurrent = 3;
/**
 * Minimum time, in milliseconds, between the starts of two paced requests. This allows five
 * requests per second.
 */
const paceMs = 200;
/**
 * Maximum number of names that are tried for one release. A release may have a different name in
 * each source.
 */
const maxNames = 6;

/** Fetches covers from a server whose URLs are structured like those of the libretro thumbnails. */
export class HttpCoverSource implements CoverSource {
  readonly url: string;
  readonly #base: URL;
  readonly #timeMs: number;
  readonly #paceMs: number;
  readonly #lookup: LookupFunction;
  readonly #limiter = new Limiter(maxConcurrent);
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, maxFreeSockets: maxConcurrent }),
    https: new https.Agent({ keepAlive: true, maxFreeSockets: maxConcurrent }),
  };
  #nextTurn = 0;

  constructor(parts: {
    /** An http or https URL without credentials, query or fragment. */
    base: string;
    timeMs?: number;
    paceMs?: number;
    lookup?: LookupFunction;
  }) {
    this.url = parts.base;
    this.#base = new URL(parts.base);
    this.#timeMs = parts.timeMs ?? defaultTimeoutMs;
    this.#paceMs = parts.paceMs ?? paceMs;
    this.#lookup = parts.lookup ?? (dns.lookup as LookupFunction);
  }

  async fetch(
    terms: CoverSearchTerms,
    { signal, isPaced }: { signal: AbortSignal; isPaced: boolean },
  ): Promise<SourceResponse> {
    signal.throwIfAborted();
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(), this.#timeMs);
    const either = AbortSignal.any([signal, time.signal]);
    try {
      const tryNames = () => this.#tryNames(terms, either, isPaced);
      return await this.#limiter.run(tryNames, { signal: either });
    } catch (error) {
      signal.throwIfAborted();
      if (time.signal.aborted) {
        return failure(`it did not answer within ${this.#timeMs / 1000} s`);
      }
      return failure(failureReason(error));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the connections that are kept open for further requests. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #tryNames(
    { platform, names }: CoverSearchTerms,
    signal: AbortSignal,
    isPaced: boolean,
  ): Promise<SourceResponse> {
    let response: SourceResponse = { kind: 'miss', reason: 'it has none' };
    for (const name of namesToTry(names).slice(0, maxNames)) {
      const url = coverUrl(this.url, platform, name);
      if (url === null) continue;
      if (isPaced) await this.#waitForTurn(signal);
      response = await this.#get(url, signal);
      if (response.kind !== 'miss') return response;
    }
    return response;
  }

  async #get(url: URL, signal: AbortSignal): Promise<SourceResponse> {
    try {
      const got = await getBytes(url, {
        base: this.#base,
        lookup: this.#lookup,
        agents: this.#agents,
        maxBytes,
        signal,
      });
      return toSourceResponse(url, got);
    } catch (error) {
      if (error instanceof ResponseRejected || error instanceof PrivateAddress) {
        return { kind: 'miss', reason: error.message };
      }
      throw error;
    }
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    const turn = Math.max(now, this.#nextTurn);
    this.#nextTurn = turn + this.#paceMs;
    if (turn > now) await pause(turn - now, signal);
  }
}

/**
 * Converts a response to a result. A response is a miss if its status says that the cover does not
 * exist, or if its body is not an image. Any other failure may be temporary.
 */
function toSourceResponse(url: URL, { status, retryAfter, body }: FetchedResponse): SourceResponse {
  if (status === 404 || status === 410) return { kind: 'miss', reason: 'it has none' };
  if (status !== 200) {
    const retryAfterMs = retryAfter === null ? null : retryAfter * 1000;
    return { kind: 'failure', reason: `it answers ${status}`, retryAfterMs };
  }
  if (!isImage(body)) return { kind: 'miss', reason: 'what it sends is no PNG, JPEG or WebP' };
  return { kind: 'image', bytes: body, url: url.href };
}

/**
 * Returns true if bytes start with the signature of PNG, JPEG or WebP. Only these types can be
 * stored as covers.
 */
function isImage(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12);
  return (
    head.startsWith('\x89PNG\r\n\x1a\n') ||
    head.startsWith('\xff\xd8\xff') ||
    (head.startsWith('RIFF') && head.slice(8) === 'WEBP')
  );
}

function failure(reason: string): SourceResponse {
  return { kind: 'failure', reason, retryAfterMs: null };
}

/**
 * Returns the URL of the cover for a name, on a server whose URLs are structured like those of the
 * libretro thumbnails. Returns null if the platform's name cannot be a folder name.
 *
 * The characters that are replaced by "_" are listed in github.com/libretro-thumbnails, README,
 * "File name conventions".
 */
export function coverUrl(base: string, platform: string, name: string): URL | null {
  if (/^\.{0,2}$/.test(platform)) return null;
  const file = `${name.replace(/[&*/:`<>?\\|"]/g, '_')}.png`;
  const path = [platform, 'Named_Boxarts', file].map(encodePart).join('/');
  return new URL(`${base.replace(/(?<!\/)\/+$/, '')}/${path}`);
}

/**
 * Returns the names under which a release's cover may be stored, in the order in which to try them.
 * All unchanged names come first, then each name truncated at its first " (", as in RetroArch.
 */
export function namesToTry(names: readonly string[]): string[] {
  const cut = names.map((name) => name.split(' (', 1)[0] ?? '');
  return [...new Set([...names, ...cut])].filter((name) => name !== '');
}

function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
