import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../core/accounts/ports.ts';
import { currentAsker } from '../core/shared/asker.ts';
import { FairLimiter } from '../core/shared/fair-limiter.ts';

/** OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. */
const owasp = { algorithm: 2 /* argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Memory in KiB, and passes. */
export type Cost = Pick<typeof owasp, 'memoryCost' | 'timeCost'>;

/**
 * Hashes at a time: more would only share the same cores and take more memory. One network has one of them, so that a crowd
 * there leaves another one a hash at once, and the rest of the program some of a small machine.
 */
const atOnce = { all: 2, ofOne: 1 };
/** Waiting ones, in all and for one network; beyond them a caller is told to come back. */
const mostWaiting = { most: 400, mostOfOne: 100 };

/**
 * Passwords as argon2id hashes, those of the clients who ask by turns. Throws `busy` when too many are waiting; `waiting`
 * says how many are.
 */
export function argon2Passwords(cost: Partial<Cost> = {}): PasswordHasher & { waiting(): number } {
  const parameters = { ...owasp, ...cost };
  const limiter = new FairLimiter(atOnce, mostWaiting);
  const inTurn = <T>(work: () => Promise<T>) => limiter.run(currentAsker()?.network ?? null, work);
  /**
   * A hash of nothing anybody knows, so that an unknown name costs the same as a wrong password. Made when the first password
   * is checked, whichever it is: most commands check none, and it takes 19 MiB.
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
