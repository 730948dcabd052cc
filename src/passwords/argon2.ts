import { hash, verify } from '@node-rs/argon2';
import type { PasswordHasher } from '../core/accounts/ports.ts';
import { FairLimiter } from '../core/shared/concurrency/fair-limiter.ts';
import { currentClient } from '../core/shared/requests/client-context.ts';

/**
 * Parameters for argon2id from the OWASP Password Storage Cheat Sheet: 19 MiB of memory, two
 * passes, one lane.
 */
const owasp = { algorithm: 2 /* argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Cost of a hash: memory in KiB, and number of passes. */
export type Cost = Pick<typeof owasp, 'memoryCost' | 'timeCost'>;

/**
 * Maximum number of concurrent hashes, in total and per network. More hashes would only share the
 * same processor cores and use more memory. One network can run only one hash, so that many logins
 * from there do not block other networks. These limits also leave processor time for the rest of
 * the program on a small machine.
 */
const maxConcurrent = { all: 2, maxPerOwner: 1 };
/**
 * Maximum number of waiting hashes, in total and per network. Above these limits, `busy` is thrown,
 * and clients have to try again later.
 */
const maxWaiting = { max: 400, maxPerOwner: 100 };

/**
 * Returns a hasher that uses argon2id. Hashes for different networks take turns. Throws `busy` if
 * too many hashes are waiting. `waiting` returns the number of waiting hashes.
 */
export function argon2Passwords(cost: Partial<Cost> = {}): PasswordHasher & { waiting(): number } {
  const parameters = { ...owasp, ...cost };
  const limiter = new FairLimiter(maxConcurrent, maxWaiting);
  const inTurn = <T>(work: () => Promise<T>) => limiter.run(currentClient()?.network ?? null, work);
  /**
   * Hash of a random password. If a user name is unknown, the password is compared with this hash,
   * so that the response takes as long as for a wrong password. The hash is created at the first
   * check of any password, because most commands check none.
   */
  let dummyHash: Promise<string> | undefined;
  const getDummyHash = () => {
    dummyHash ??= hash(crypto.randomUUID(), parameters);
    return dummyHash;
  };
  return {
    waiting: () => limiter.waiting,
    hash: (password) => inTurn(() => hash(password, parameters)),
    verify: (stored, password) =>
      inTurn(async () => {
        await getDummyHash();
        return verify(stored, password);
      }),
    async verifyDummy(password) {
      await inTurn(async () => verify(await getDummyHash(), password));
    },
  };
}
