import { LRUCache } from 'lru-cache';
import type { Credential } from '../../core/accounts/account.ts';
import { type PartRevision, presentRevision } from '../../core/shared/part-revision.ts';

/** Maximum number of cached credentials; more than a household needs. */
const mostKept = 1_000;

/**
 * Caches credentials by the hash of their tokens, each valid for one revision of the accounts.
 * Whether a token is still live depends on the time, so callers check that on every use.
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
    // Read first, so that the credential is of this revision or of a later one.
    const revision = await presentRevision(this.#revision);
    const kept = this.#kept.get(hash);
    if (kept?.revision === revision) return kept.credential;
    const credential = await this.#find(hash);
    // Misses are not cached: anonymous users can invent any number, and new tokens do not change
    // the revision.
    if (credential !== null) this.#kept.set(hash, { revision, credential });
    return credential;
  }

  /**
   * Updates the last use of a token in the cache, because recording a use does not change the
   * revision.
   */
  noteUse(tokenId: number, at: string): void {
    for (const [hash, { revision, credential }] of this.#kept.entries()) {
      const { user, token } = credential;
      if (token.id !== tokenId) continue;
      const used = { user, token: { ...token, lastUsedAt: at } };
      this.#kept.set(hash, { revision, credential: used });
    }
  }
}
