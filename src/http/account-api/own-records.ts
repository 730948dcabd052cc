import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../core/accounts/account.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Arrival } from '../../core/shared/arrival.ts';
import type { ReadyAnswers } from '../shared/answer-at-once.ts';
import { hasCommonHead, headsOf, type ReadyAnswer } from '../shared/kept-answer.ts';
import type { PlainRequest } from '../shared/plain-request.ts';
import { bearerToken } from './access.ts';

/**
 * The records of users as answers to themselves. Each is kept for as long as accounts keep the object it is of, which is
 * replaced when anything of it changes, and is sent again to whoever has a live token of the user at that moment.
 */
export class OwnRecords implements ReadyAnswers {
  readonly #accounts: Accounts;
  readonly #address: string;
  readonly #answers = new WeakMap<User, ReadyAnswer>();

  /** `address`: of the route, below the path of the server. */
  constructor(accounts: Accounts, address: string) {
    this.#accounts = accounts;
    this.#address = address;
  }

  /** Answers with the record of a user, who is the one of the request's credential. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    toRecord: (user: User) => object,
  ): FastifyReply {
    const bytes = Buffer.from(reply.serialize(toRecord(user)) as string);
    // What hooks add to the head is there when it was sent.
    reply.raw.once('finish', () => {
      if (!hasCommonHead(request, reply)) return;
      this.#answers.set(user, { bytes, etag: null, heads: headsOf(bytes, request, reply) });
    });
    return reply.type('application/json; charset=utf-8').send(bytes);
  }

  has(address: string): boolean {
    return address === this.#address;
  }

  findAtOnce(
    _address: string,
    arrival: Arrival,
    { authorization }: PlainRequest,
  ): ReadyAnswer | undefined {
    const token = bearerToken(authorization);
    if (token === '') return undefined;
    const credential = this.#accounts.findCredentialAtOnce(token, arrival);
    return credential && this.#answers.get(credential.user);
  }
}
