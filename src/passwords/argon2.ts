import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../core/accounts/ports.ts';
import { currentAsker } from '../core/shared/asker.ts';
import { FairLimiter } from '../core/shared/fair-limiter.ts';

/** Parameters of the OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const owasp = { algorithm: 2 /* argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Memory in KiB, and number of passes. */
export type Cost = Pick<typeof owasp, 'memoryCost' | 'timeCost'>;

/**
 * Maximum number of concurrent hashes. More would only share the same cores and take more memory.
 * One network gets only one of them. So a crowd there leaves a hash to other networks, and part of
 * a small machine to the rest of the program.
 */
const atOnce = { all: 2, ofOne: 1 };
/**
 * Maximum number of waiting hashes, in all and per network; beyond it a caller is told to come
 * back.
 */
const mostWaiting = { most: 400, mostOfOne: 100 };

/**
 * Hashes passwords with argon2id. Clients take turns. Throws `busy` when too many are waiting;
 * `waiting` returns their number.
 */
export function argon2Passwords(cost: Partial<Cost> = {}): PasswordHasher & { waiting(): number } {
  const parameters = { ...owasp, ...cost };
  const limiter = new FairLimiter(atOnce, mostWaiting);
  const inTurn = <T>(work: () => Promise<T>) => limiter.run(currentAsker()?.network ?? null, work);
  /**
   * Hash of a random password, so that checking an unknown name costs the same as checking a wrong
   * password. It is created at the first check of any password: most commands check none, and it
   * takes 19 MiB.
   */
  let nobody: Promise<string> | undefined;
  const hashOfNobody = () => {
    nobody ??= hash(crypto.randomUUID(), parameters);
    return nobody;
  };
  return {
    waiting: () => limiter.waiting,
    hash: (password) => inTurn(() => hash(password, parameters)),
    verify: (stored, password) =>
      inTurn(async () => {
        await hashOfNobody();
        return verify(stored, password);
      }),
    async verifyNothing(password) {
      await inTurn(async () => verify(await hashOfNobody(), password));
    },
  };
}
