import type { Credential } from '../../core/accounts/account.ts';
import type { Arrival } from '../../core/shared/arrival.ts';
import type { PartRevision } from '../../core/shared/part-revision.ts';

/** More than live in a household; those that were not asked for for longest go first. */
const mostKept = 1_000;

/**
 * The credentials that were found, by the hash of their tokens, for as long as nobody writes what they say. Whether they are
 * live is for the clock to say, each time.
 */
export class KeptCredentials {
  readonly #revision: PartRevision;
  readonly #find: (hash: string) => Promise<Credential | null>;
  readonly #kept = new Map<string, Credential>();
  #keptRevision: number | undefined;

  constructor(revision: PartRevision, find: (hash: string) => Promise<Credential | null>) {
    this.#revision = revision;
    this.#find = find;
  }

  /** `arrival`: of the request that asks. */
  async find(hash: string, arrival?: Arrival): Promise<Credential | null> {
    // Before anything is read: what is read then is of this revision or of a later one.
    const revision = await this.#revision.current(arrival);
    const kept = this.#findKept(hash, revision);
    if (kept !== undefined) return kept;
    const found = await this.#find(hash);
    // What is not found is not kept: strangers can make up any number, and new tokens move no revision.
    if (found === null) return null;
    if (revision !== this.#keptRevision) this.#kept.clear();
    this.#keptRevision = revision;
    this.#keep(hash, found);
    return found;
  }

  /** The one that is kept, if it can be told at once that it is the present one. */
  findAtOnce(hash: string, arrival: Arrival): Credential | undefined {
    const revision = this.#revision.known(arrival);
    return revision === undefined ? undefined : this.#findKept(hash, revision);
  }

  /** The use of a token is noted without a revision. */
  noteUse(tokenId: number, at: string): void {
    for (const [hash, { user, token }] of this.#kept) {
      if (token.id === tokenId) this.#kept.set(hash, { user, token: { ...token, lastUsedAt: at } });
    }
  }

  #findKept(hash: string, revision: number): Credential | undefined {
    const kept = revision === this.#keptRevision ? this.#kept.get(hash) : undefined;
    if (kept !== undefined) this.#keep(hash, kept);
    return kept;
  }

  #keep(hash: string, credential: Credential): void {
    this.#kept.delete(hash); // put back as the newest
    this.#kept.set(hash, credential);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}
