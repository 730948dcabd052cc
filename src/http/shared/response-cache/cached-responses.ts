import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { askedTogether, currentAsker } from '../../../core/shared/asker.ts';
import type { PartRevision } from '../../../core/shared/part-revision.ts';
import { type Made, sendTagged, taggedJson } from '../send-tagged.ts';
import { type KeptFile, keptFile, type SmallFile, sendSmallFile } from '../small-file.ts';
import type { PlainRequest } from './plain-request.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';
import { hasCommonHead, headsOf, type KeptAnswer, type ReadyResponse } from './response-heads.ts';

/** Addresses that are remembered to have been asked for. */
const mostAsked = 2_000;
/** Longer addresses are taken for asked before, so that many of them take no memory. */
const longestAsked = 1_000;

/**
 * Responses that depend on nothing but their address and the revision of what they show, and small files that can be told
 * to be current: each is kept in memory while its revision lasts.
 */
export class CachedResponses {
  readonly #revision: PartRevision;
  readonly #cache = new ResponseCache();
  readonly #asked = new LRUCache<string, true>({ max: mostAsked });
  /** By client, revision and address: what several ask for at once is made once. */
  readonly #making = new Map<string, Promise<KeptAnswer>>();

  constructor(revision: PartRevision) {
    this.#revision = revision;
  }

  /**
   * Answers with the JSON of what `make` resolves with, or did before; with 304 when the client has it. `isKept`: it depends
   * on nothing but the address and the revision.
   */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<Made>,
    { isKept = true }: { isKept?: boolean } = {},
  ): Promise<FastifyReply> {
    const address = request.originalUrl;
    if (!isKept || this.#isRare(address)) {
      return sendTagged(request, reply, taggedJson(reply, await make()));
    }
    // Before anything is read: what is read then is of this revision or of a later one.
    const revision = await this.#revision.current();
    const known = this.#cache.find(address, revision);
    const kept =
      known !== undefined && !isFile(known)
        ? known
        : await this.#makeOnce(`${currentAsker()?.network} ${revision} ${address}`, async () => {
            const answer: KeptAnswer = taggedJson(reply, await make());
            this.#cache.keep(address, revision, answer);
            return answer;
          });
    sendTagged(request, reply, kept);
    keepHeads(kept, request, reply);
    return reply;
  }

  /**
   * Answers with the small file that `make` resolves with, or did before. `look` tells another text when it would resolve
   * with another file, null when that cannot be told at once, and nothing is kept then.
   */
  async answerFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { look, make }: { look: () => string | null; make: () => Promise<SmallFile> },
  ): Promise<FastifyReply> {
    // Before anything is read, as above.
    const revision = await this.#revision.current();
    const seen = look();
    const address = request.originalUrl;
    const known = this.#cache.find(address, revision);
    if (known !== undefined && isFile(known) && known.seen === seen) {
      return sendKept(known, request, reply);
    }
    const file = await make();
    const kept = seen === null ? null : keptFile(file, seen, look);
    if (kept === null) return sendSmallFile(request, reply, file);
    this.#cache.keep(address, revision, kept);
    return sendKept(kept, request, reply);
  }

  /** Whether there is a response to requests for this address, of whichever revision. */
  has(address: string): boolean {
    return this.#cache.has(address);
  }

  /** The response to a plain request for this address, where there is one that is known to be of the present revision. */
  find(address: string, { asksOfFile }: PlainRequest): ReadyResponse | undefined {
    const revision = this.#revision.known();
    const response = revision === undefined ? undefined : this.#cache.find(address, revision);
    if (response === undefined || !isReady(response)) return undefined;
    if (isFile(response) && (asksOfFile || !response.isCurrent())) return undefined;
    return response;
  }

  /** Whether it does not pay to ask the database for the revision, since nobody asked for the address before. */
  #isRare(address: string): boolean {
    if (!this.#revision.isAsked || address.length > longestAsked) return false;
    const isRare = !this.#asked.has(address);
    this.#asked.set(address, true);
    return isRare;
  }

  #makeOnce(key: string, make: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = askedTogether(make);
    this.#making.set(key, making);
    const end = () => this.#making.delete(key);
    making.then(end, end);
    return making;
  }
}

async function sendKept(
  file: KeptFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await sendSmallFile(request, reply, file);
  keepHeads(file, request, reply);
  return reply;
}

function keepHeads(kept: KeptAnswer, request: FastifyRequest, reply: FastifyReply): void {
  if (kept.heads === undefined && hasCommonHead(request, reply)) {
    kept.heads = headsOf(kept.bytes, request, reply);
  }
}

function isFile(response: CachedResponse): response is KeptFile {
  return 'isCurrent' in response;
}

function isReady<Response extends KeptAnswer>(
  response: Response,
): response is Response & ReadyResponse {
  return response.heads !== undefined;
}
