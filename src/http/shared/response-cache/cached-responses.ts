import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { currentClient, withClientNetwork } from '../../../core/shared/requests/client-context.ts';
import type { PartRevision } from '../../../core/shared/requests/part-revision.ts';
import { type JsonResult, sendTagged, taggedJson } from '../files/send-tagged.ts';
import {
  type CachedFile,
  type SmallFile,
  sendSmallFile,
  toCachedFile,
} from '../files/small-file.ts';
import type { PlainRequest } from './plain-request.ts';
import {
  type CachedBody,
  hasCommonHeaders,
  preparedHeadersOf,
  type ReadyResponse,
} from './prepared-headers.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

/** Maximum number of recently requested URLs to remember. */
const maxRequestedUrls = 2_000;
/**
 * Maximum length of a remembered URL. Longer URLs are treated as recently requested, so that
 * remembering them takes no memory.
 */
const maxUrlLength = 1_000;

/**
 * Caches JSON responses that depend only on their URL and the revision of the data, from the second
 * request for a URL on. Also caches small files, if a check can show that they are still current. A
 * cached response is used only while its revision is current.
 */
export class CachedResponses {
  readonly #revision: PartRevision;
  readonly #cache = new ResponseCache();
  readonly #requestedUrls = new LRUCache<string, true>({ max: maxRequestedUrls });
  /**
   * Responses in preparation, by client network, revision and URL. Concurrent requests share one
   * response.
   */
  readonly #making = new Map<string, Promise<CachedBody>>();

  constructor(revision: PartRevision) {
    this.#revision = revision;
  }

  /**
   * Sends the JSON that `make` resolves to, or a cached copy of that JSON. Sends 304 if the client
   * already has it. The caller must pass `isCacheable: false` if the response depends on more than
   * the URL and the revision.
   */
  async respond(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<JsonResult>,
    { isCacheable = true }: { isCacheable?: boolean } = {},
  ): Promise<FastifyReply> {
    const url = request.originalUrl;
    if (!isCacheable || this.#isRare(url)) {
      return sendTagged(request, reply, taggedJson(reply, await make()));
    }
    // Read the revision before the data, so that the data cannot be older than the revision.
    const revision = await this.#revision.current();
    const known = this.#cache.find(url, revision);
    const cached =
      known !== undefined && !isFile(known)
        ? known
        : await this.#makeOnce(`${currentClient()?.network} ${revision} ${url}`, async () => {
            const body: CachedBody = taggedJson(reply, await make());
            this.#cache.set(url, revision, body);
            return body;
          });
    sendTagged(request, reply, cached);
    prepareHeaders(cached, request, reply);
    return reply;
  }

  /**
   * Sends the small file that `make` resolves to, or a cached copy of that file. `fingerprint`
   * returns a text that identifies the current file. If it cannot determine this text
   * synchronously, it returns null, and nothing is cached.
   */
  async respondWithFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { fingerprint, make }: { fingerprint: () => string | null; make: () => Promise<SmallFile> },
  ): Promise<FastifyReply> {
    // Read the revision before the file, so that the file cannot be older than the revision.
    const revision = await this.#revision.current();
    const seen = fingerprint();
    const url = request.originalUrl;
    const known = this.#cache.find(url, revision);
    if (known !== undefined && isFile(known) && known.fingerprint === seen) {
      return sendCachedFile(known, request, reply);
    }
    const file = await make();
    const cached = seen === null ? null : toCachedFile(file, seen, fingerprint);
    if (cached === null) return sendSmallFile(request, reply, file);
    this.#cache.set(url, revision, cached);
    return sendCachedFile(cached, request, reply);
  }

  /** Returns true if a response for this URL is cached, of any revision. */
  has(url: string): boolean {
    return this.#cache.has(url);
  }

  /**
   * Returns the cached response to a plain request for this URL. Returns undefined if no response
   * can be sent at once, or if the cached response may be stale.
   */
  find(url: string, { hasFileConditions }: PlainRequest): ReadyResponse | undefined {
    const revision = this.#revision.known();
    const response = revision === undefined ? undefined : this.#cache.find(url, revision);
    if (response === undefined || !isReady(response)) return undefined;
    if (isFile(response) && (hasFileConditions || !response.isCurrent())) return undefined;
    return response;
  }

  /**
   * Returns true if the URL was not requested recently. Most such URLs, for example of a client
   * that reads the whole list, are requested only once, so caching their responses would take
   * memory for nothing.
   */
  #isRare(url: string): boolean {
    if (url.length > maxUrlLength) return false;
    const isRare = !this.#requestedUrls.has(url);
    this.#requestedUrls.set(url, true);
    return isRare;
  }

  #makeOnce(key: string, make: () => Promise<CachedBody>): Promise<CachedBody> {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = withClientNetwork(make);
    this.#making.set(key, making);
    const end = () => this.#making.delete(key);
    making.then(end, end);
    return making;
  }
}

async function sendCachedFile(
  file: CachedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await sendSmallFile(request, reply, file);
  prepareHeaders(file, request, reply);
  return reply;
}

function prepareHeaders(cached: CachedBody, request: FastifyRequest, reply: FastifyReply): void {
  if (cached.preparedHeaders === undefined && hasCommonHeaders(request, reply)) {
    cached.preparedHeaders = preparedHeadersOf(cached.bytes, request, reply);
  }
}

function isFile(response: CachedResponse): response is CachedFile {
  return 'isCurrent' in response;
}

function isReady<Response extends CachedBody>(
  response: Response,
): response is Response & ReadyResponse {
  return response.preparedHeaders !== undefined;
}
