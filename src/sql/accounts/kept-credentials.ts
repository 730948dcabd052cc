import { LRUCache } from 'lru-cache';
import type { Credential } from '../../core/accounts/account.ts';
import { type PartRevision, presentRevision } from '../../core/shared/part-revision.ts';

/** More than live in a household. */
const mostKept = 1_000;

/**
 * The credentials that were found, by the hash of their tokens, each valid for one revision of the accounts. Whether they
 * are live is for the clock to say, each time.
 */
export class KeptCredentials {
  readonly #revision: PartRevision;
  readonly #find: (hash: string) => Promise<Credential | null>;
  readonly #kept = new LRUCache<string, { revision: number; credential: Credential }>({
    max: mostKept,
  });

  constructor(revision: PartRevision, find: (hash: string) => Promise<Credential | null>) {
    this.#revision = revision;
    this.#find = find;
  }

  async find(hash: string): Promise<Credential | null> {
    // Before anything is read: what is read then is of this revision or of a later one.
    const revision = await presentRevision(this.#revision);
    const kept = this.#kept.get(hash);
    if (kept?.revision === revision) return kept.credential;
    const credential = await this.#find(hash);
    // What is not found is not kept: strangers can make up any number, and new tokens move no revision.
    if (credential !== null) this.#kept.set(hash, { revision, credential });
    return credential;
  }

  /** The use of a token is noted without a revision. */
  noteUse(tokenId: number, at: string): void {
    for (const [hash, { revision, credential }] of this.#kept.entries()) {
      const { user, token } = credential;
      if (token.id !== tokenId) continue;
      const used = { user, token: { ...token, lastUsedAt: at } };
      this.#kept.set(hash, { revision, credential: used });
    }
  }
}
