import type { Credential, Token, User } from '../../core/accounts/account.ts';
import type {
  AccountRecords,
  CheckedLogin,
  FailedLogin,
  NewToken,
  Page,
  UserChange,
} from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import { usernameTaken } from '../../core/shared/errors.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import type { PartRevision } from '../../core/shared/requests/part-revision.ts';
import { recordAudit } from '../audit/audit.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Engine } from '../engine/engine.ts';
import { UniqueViolation } from '../engine/unique-violation.ts';
import { hasActiveAdmin } from './active-admins.ts';
import { CredentialCache } from './credential-cache.ts';
import { recordFailedLogin } from './failed-logins.ts';
import { findCredential, insertToken, listTokens, revokeTokens } from './tokens.ts';
import { changeUser, insertUser, type NewUser, removeUser } from './user-changes.ts';
import { findUser, findUserByName, listUsers } from './users.ts';
import { precheckRight, writeAccountsAs } from './write-as.ts';

/** Stores users and tokens in SQL. */
export class SqlAccountRecords implements AccountRecords {
  readonly #engine: Engine;
  readonly #deferredWrites: DeferredWrites;
  readonly #clock: Clock;
  readonly #credentials: CredentialCache;

  /** `revision` is the revision of the accounts. Cached credentials are valid for one revision. */
  constructor(parts: {
    engine: Engine;
    deferredWrites: DeferredWrites;
    clock: Clock;
    revision: PartRevision;
  }) {
    this.#engine = parts.engine;
    this.#credentials = new CredentialCache(parts.revision, (hash) =>
      findCredential(parts.engine.read, hash),
    );
    this.#deferredWrites = parts.deferredWrites;
    this.#clock = parts.clock;
  }

  async checkRight(actor: Actor): Promise<void> {
    await precheckRight(this.#engine.read, actor, this.#clock.timestamp());
  }

  listUsers(page?: Page): Promise<User[]> {
    return listUsers(this.#engine.read, page);
  }

  findUser(id: number): Promise<User | null> {
    return findUser(this.#engine.read, id);
  }

  findUserByName(username: string): Promise<(User & { passwordHash: string }) | null> {
    return findUserByName(this.#engine.read, username);
  }

  async createUser(user: NewUser, actor: Actor): Promise<User> {
    const at = this.#clock.timestamp();
    try {
      return await writeAccountsAs(this.#engine, { actor, at }, (trx, author) =>
        insertUser(trx, user, at, author),
      );
    } catch (error) {
      throw error instanceof UniqueViolation ? usernameTaken() : error;
    }
  }

  /**
   * Creates the first admin. Returns null if an active admin exists. Only one of several concurrent
   * calls creates an admin. Throws `username already exists` if another user has the name.
   */
  async createFirstAdmin(user: Omit<NewUser, 'role'>, actor: Actor): Promise<User | null> {
    const at = this.#clock.timestamp();
    try {
      return await writeAccountsAs(this.#engine, { actor, at }, async (trx, author) =>
        (await hasActiveAdmin(trx))
          ? null
          : insertUser(trx, { ...user, role: 'admin' }, at, author),
      );
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      // Since the check, another process may have created an admin with this name.
      if (await this.hasActiveAdmin()) return null;
      throw usernameTaken();
    }
  }

  updateUser(id: number, change: UserChange, actor: Actor): Promise<User | null> {
    const at = this.#clock.timestamp();
    return writeAccountsAs(this.#engine, { actor, at }, (trx, author) =>
      changeUser(trx, id, change, at, author),
    );
  }

  deleteUser(id: number, actor: Actor): Promise<boolean> {
    const at = this.#clock.timestamp();
    return writeAccountsAs(this.#engine, { actor, at }, (trx, author) =>
      removeUser(trx, id, at, author),
    );
  }

  hasActiveAdmin(): Promise<boolean> {
    return hasActiveAdmin(this.#engine.read);
  }

  async listTokens(userId: number, page?: Page): Promise<Token[]> {
    await this.#deferredWrites.flush();
    return listTokens(this.#engine.read, userId, page);
  }

  createToken(token: NewToken, actor: Actor, login: CheckedLogin | null): Promise<number | null> {
    const write = { actor, at: token.createdAt };
    return writeAccountsAs(this.#engine, write, (trx, author) =>
      insertToken(trx, token, author, login),
    );
  }

  findCredential(hash: string): Promise<Credential | null> {
    return this.#credentials.find(hash);
  }

  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void> {
    const at = this.#clock.timestamp();
    return writeAccountsAs(this.#engine, { actor, at }, async (trx, author) => {
      const revoked = await revokeTokens(trx, at, { user_id: userId, id: tokenId });
      if (revoked > 0) await recordAudit(trx, at, author, 'token.revoke', `token/${tokenId}`);
    });
  }

  recordFailedLogin(failed: FailedLogin): void {
    this.#deferredWrites.add((trx) => recordFailedLogin(trx, failed));
  }

  recordTokenUse(tokenId: number, at: string): void {
    this.#credentials.recordUse(tokenId, at);
    this.#deferredWrites.add(async (trx) => {
      await trx.updateTable('token').set({ last_used_at: at }).where('id', '=', tokenId).execute();
    });
  }
}
