import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Arrival } from '../../core/shared/arrival.ts';
import { askedTogether, currentAsker } from '../../core/shared/asker.ts';
import type { PartRevision } from '../../core/shared/part-revision.ts';
import type { ReadyAnswers } from './answer-at-once.ts';
import { AnswerMemory } from './answer-memory.ts';
import { arrivalOf } from './arrivals.ts';
import { hasCommonHead, headsOf, type KeptAnswer, type ReadyAnswer } from './kept-answer.ts';
import type { PlainRequest } from './plain-request.ts';
import { SeenTexts } from './seen-texts.ts';
import { type Made, sendTagged, taggedJson } from './send-tagged.ts';
import { type KeptFile, keptFile, type SmallFile, sendSmallFile } from './small-file.ts';

/** Of answers that are kept: some 1,500 pages of a list. */
const mostBytes = 16 * 1024 * 1024;
/** Of small files: some 500 thumbnails. */
const mostFileBytes = 16 * 1024 * 1024;
/** Addresses that are remembered to have been asked for. */
const mostSeen = 2_000;

/**
 * Answers that depend on nothing but their address and the revision of what they show, and files that can be told to be
 * what they were: they are kept in memory for as long as it stays.
 */
export class KeptAnswers implements ReadyAnswers {
  readonly #revision: PartRevision;
  readonly #memory = new AnswerMemory<KeptAnswer>(mostBytes);
  readonly #files = new AnswerMemory<KeptFile>(mostFileBytes);
  readonly #asked = new SeenTexts(mostSeen);
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
    const revision = await this.#revision.current(arrivalOf(request.raw));
    const kept =
      this.#memory.find(address, revision) ??
      (await this.#makeOnce(`${currentAsker()?.network} ${revision} ${address}`, async () => {
        const answer: KeptAnswer = taggedJson(reply, await make());
        this.#memory.keep(address, revision, answer);
        return answer;
      }));
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
    const revision = await this.#revision.current(arrivalOf(request.raw));
    const seen = look();
    const address = request.originalUrl;
    const known = this.#files.find(address, revision);
    if (known !== undefined && known.seen === seen) return sendKept(known, request, reply);
    const file = await make();
    const kept = seen === null ? null : keptFile(file, seen, look);
    if (kept === null) return sendSmallFile(request, reply, file);
    this.#files.keep(address, revision, kept);
    return sendKept(kept, request, reply);
  }

  /** Whether there is an answer to requests for this address, of whichever revision. */
  has(address: string): boolean {
    return this.#memory.has(address) || this.#files.has(address);
  }

  /** The answer to a plain request for this address, where there is one that is known to be of the present revision. */
  findAtOnce(
    address: string,
    arrival: Arrival,
    { asksOfFile }: PlainRequest,
  ): ReadyAnswer | undefined {
    const revision = this.#revision.known(arrival);
    if (revision === undefined) return undefined;
    const answer = this.#memory.find(address, revision);
    if (answer !== undefined) return isReady(answer) ? answer : undefined;
    const file = asksOfFile ? undefined : this.#files.find(address, revision);
    return file !== undefined && isReady(file) && file.isCurrent() ? file : undefined;
  }

  /** Whether it does not pay to ask the database for the revision, since nobody asked for the address before. */
  #isRare(address: string): boolean {
    return this.#revision.isAsked && !this.#asked.addAgain(address);
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

function isReady<Answer extends KeptAnswer>(answer: Answer): answer is Answer & ReadyAnswer {
  return answer.heads !== undefined;
}
