import type { FastifyReply, FastifyRequest } from 'fastify';
import { askedTogether, currentAsker } from '../../core/shared/asker.ts';
import type { PartRevision } from '../../core/shared/part-revision.ts';
import { AnswerMemory } from './answer-memory.ts';
import { type KeptAnswer, rememberHeads } from './kept-answer.ts';
import { type Made, sendTagged, taggedJson } from './send-tagged.ts';

/** Of answers that are kept: some 1,500 pages of a list. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Answers that depend on nothing but their address and the revision of what they show: they are kept in memory for as long
 * as it stays.
 */
export class KeptAnswers {
  readonly #revision: PartRevision;
  readonly #memory = new AnswerMemory(mostBytes);
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
    if (!isKept) return sendTagged(request, reply, taggedJson(reply, await make()));
    // Before anything is read: what is read then is of this revision or of a later one.
    const revision = await this.#revision.current();
    const address = request.originalUrl;
    const kept =
      this.#memory.find(address, revision) ??
      (await this.#makeOnce(`${currentAsker()?.network} ${revision} ${address}`, async () => {
        const answer: KeptAnswer = taggedJson(reply, await make());
        this.#memory.keep(address, revision, answer);
        return answer;
      }));
    sendTagged(request, reply, kept);
    // The fields of an answer to another site name the site.
    const isPlain = reply.statusCode === 200 && request.headers.origin === undefined;
    if (isPlain && kept.heads === undefined) rememberHeads(kept, request, reply);
    return reply;
  }

  /** The answer to a request for this address, where there is one that is known to be of the present revision. */
  findAtOnce(address: string): KeptAnswer | undefined {
    const revision = this.#revision.known();
    return revision === undefined ? undefined : this.#memory.find(address, revision);
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
