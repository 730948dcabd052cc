import { LRUCache } from 'lru-cache';
import type { Credential } from '../../core/accounts/account.ts';
import { type PartRevision, presentRevision } from '../../core/shared/requests/part-revision.ts';

/** Maximum number of cached credentials. A household needs fewer credentials. */
const maxEntries = 1_000;

/**
 * Caches credentials by the hash of their tokens. An entry is valid for one revision of the
 * accounts. Tokens expire without a new revision, so callers check the expiry on every use.
 */
export class CredentialCache {
  readonly #revision: PartRevision;
  readonly #find: (hash: string) => Promise<Credential | null>;
  readonly #cache = new LRUCache<string, { revision: number; credential: Credential }>({
    max: maxEntries,
  });

  constructor(revision: PartRevision, find: (hash: string) => Promise<Credential | null>) {
    this.#revision = revision;
    this.#find = find;
  }

  async find(hash: string): Promise<Credential | null> {
    // Reads the revision before the credential, so that the credential is of this revision or of a
    // later revision.
    const revision = await presentRevision(this.#revision);
    const cached = this.#cache.get(hash);
    if (cached?.revision === revision) return cached.credential;
    const credential = await this.#find(hash);
    // Unknown hashes are not cached, because anonymous users can invent any number of hashes. A new
    // token does not change the revision, so a cached miss could also become stale.
    if (credential !== null) this.#cache.set(hash, { revision, credential });
    return credential;
  }

  /**
   * Updates the last use of a token in the cache. The cached entry would otherwise show an old use,
   * because recording a use does not change the revision.
   */
  recordUse(tokenId: number, at: string): void {
    for (const [hash, { revision, credential }] of this.#cache.entries()) {
      const { user, token } = credential;
      if (token.id !== tokenId) continue;
      const used = { user, token: { ...token, lastUsedAt: at } };
      this.#cache.set(hash, { revision, credential: used });
    }
  }
}
