import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../shared/clock.ts';
import {
  cannotDeleteYourself,
  invalidCredentials,
  invalidRole,
  notAuthenticated,
  notFound,
  usernameAndPasswordRequired,
  wrongPassword,
} from '../shared/errors.ts';
import { expiryAfter } from '../shared/expiry-after.ts';
import type { Actor, UserActor } from '../shared/requests/actor.ts';
import { networkOf } from '../shared/requests/network-of.ts';
import { isRole } from '../shared/requests/role.ts';
import { printable, truncateToBytes } from '../shared/text.ts';
import { checkLength } from '../shared/text-limits.ts';
import {
  type Credential,
  checkUsername,
  isLive,
  labelLimit,
  loginLabels,
  normaliseUsername,
  type Token,
  type User,
  usernameLimit,
} from './account.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { AccountRecords, CheckedLogin, Page, PasswordHasher, UserChange } from './ports.ts';

/**
 * A token that was just created. Its value is available only here, because only the SHA-256 is
 * stored.
 */
export interface IssuedToken {
  readonly id: number;
  readonly value: string;
  readonly expiresAt: string | null;
}

/**
 * The changes of a user that a request contains. An empty or missing password leaves the password
 * unchanged.
 */
export interface UserRequest {
  readonly role?: unknown;
  readonly isActive?: boolean;
  readonly password?: string;
  readonly revokeTokens?: boolean;
}

/** How long the audit stores failed logins, in milliseconds. */
const failureRetentionMs = 90 * 24 * 60 * 60_000;

/** Manages users, their roles, logins and tokens. */
export class Accounts {
  readonly #records: AccountRecords;
  readonly #passwords: PasswordHasher;
  readonly #throttle: LoginThrottle;
  readonly #clock: Clock;
  readonly #tokenDays: number;

  constructor(parts: {
    records: AccountRecords;
    passwords: PasswordHasher;
    throttle: LoginThrottle;
    clock: Clock;
    /**
     * Lifetime of the token that a login creates, in days; 0 means that the token does not expire.
     */
    tokenDays: number;
  }) {
    this.#records = parts.records;
    this.#passwords = parts.passwords;
    this.#throttle = parts.throttle;
    this.#clock = parts.clock;
    this.#tokenDays = parts.tokenDays;
  }

  /** Logs a user in. Throws `Invalid username or password` or `too many attempts`. */
  async login(
    attempt: { username: string; password: string; kind: Token['kind'] },
    address: string,
  ): Promise<{ user: User; token: IssuedToken }> {
    const username = normaliseUsername(attempt.username);
    const run = async (tryId: number) => {
      const user = await this.#userWithPassword(username, attempt.password);
      if (user === null) return null;
      const label = loginLabels[attempt.kind];
      const actor: Actor = { kind: 'user', userId: user.id, username, address };
      const login = { tryId, passwordHash: user.passwordHash };
      const token = await this.#issue(user.id, label, attempt.kind, this.#tokenDays, actor, login);
      return token === null ? null : { user, token };
    };
    const result = await this.#throttle.attempt(username, address, run, { clearsItself: true });
    if (result === null) {
      this.#recordFailure(username, address);
      throw invalidCredentials();
    }
    return result;
  }

  /**
   * Returns the user and token of a token value. Throws `not authenticated` if the token is
   * invalid.
   */
  async authenticate(tokenValue: string): Promise<Credential> {
    return (await this.findCredential(tokenValue)) ?? fail(notAuthenticated());
  }

  /** Returns the user and token of a token value; null if the token is invalid. */
  async findCredential(tokenValue: string): Promise<Credential | null> {
    const credential = await this.#records.findCredential(tokenHash(tokenValue));
    return credential !== null && this.#mayUse(credential) ? credential : null;
  }

  /**
   * Returns the user and token of a user name and an API token, which some clients can only send as
   * name and password. A token that the user never had counts as a failed login, although no
   * password is compared. An expired or revoked token of the user does not count, because it was
   * not guessed, and a device may send it for days. Throws `Invalid username or password` or
   * `too many attempts`.
   */
  async authenticateByName(
    { username: given, token }: { readonly username: string; readonly token: string },
    address: string,
  ): Promise<Credential> {
    const username = normaliseUsername(given);
    const credential = await this.#records.findCredential(tokenHash(token));
    if (credential?.user.username === username && credential.token.kind === 'api') {
      if (this.#mayUse(credential)) return credential;
      throw invalidCredentials();
    }
    await this.#throttle.attempt(username, address, async () => null);
    this.#recordFailure(username, address);
    throw invalidCredentials();
  }

  /** Revokes the token. Does nothing if the token is unknown or already revoked. */
  async logout(tokenValue: string, address: string): Promise<void> {
    const credential = await this.#records.findCredential(tokenHash(tokenValue));
    if (credential === null || credential.token.revokedAt !== null) return;
    const { user, token } = credential;
    const actor: Actor = { kind: 'user', userId: user.id, username: user.username, address };
    await this.#records.revokeToken(user.id, token.id, actor);
  }

  listUsers(page?: Page): Promise<User[]> {
    return this.#records.listUsers(page);
  }

  /** Returns the user with this id. Throws `not found`. */
  async getUser(id: number): Promise<User> {
    return (await this.#records.findUser(id)) ?? fail(notFound());
  }

  /** Returns the user with this name. Throws `not found`. */
  async getUserByName(username: string): Promise<User> {
    return (await this.#records.findUserByName(normaliseUsername(username))) ?? fail(notFound());
  }

  /**
   * Creates a user. Throws, in this order: `username and password are required`, the errors of
   * `checkUsername`, `invalid role`, `username already exists`.
   */
  async createUser(
    request: { username: string; password: string; role?: unknown },
    actor: Actor,
  ): Promise<User> {
    const username = normaliseUsername(request.username);
    if (username === '' || request.password === '') throw usernameAndPasswordRequired();
    checkUsername(username);
    const role = request.role ?? 'user';
    if (!isRole(role)) throw invalidRole();
    const passwordHash = await this.#passwords.hash(request.password);
    return this.#records.createUser({ username, passwordHash, role }, actor);
  }

  /** Changes a user. Throws `invalid role`, `not found` or `last active admin`. */
  async updateUser(id: number, request: UserRequest, actor: Actor): Promise<User> {
    const role = request.role ?? undefined;
    if (role !== undefined && !isRole(role)) throw invalidRole();
    const change: UserChange = {
      ...(role !== undefined && { role }),
      ...(request.isActive !== undefined && { isActive: request.isActive }),
      ...(request.password && { passwordHash: await this.#passwords.hash(request.password) }),
      ...(request.revokeTokens && { revokeTokens: true }),
    };
    return (await this.#records.updateUser(id, change, actor)) ?? fail(notFound());
  }

  /**
   * Deletes a user, or does nothing if the user does not exist. Throws `cannot delete yourself` or
   * `last active admin`.
   */
  async deleteUser(id: number, actor: Actor): Promise<void> {
    if (actor.kind === 'user' && actor.userId === id) throw cannotDeleteYourself();
    await this.#records.deleteUser(id, actor);
  }

  listTokens(userId: number, page?: Page): Promise<Token[]> {
    return this.#records.listTokens(userId, page);
  }

  /** Revokes a token of this user. Does nothing if the token belongs to another user. */
  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void> {
    return this.#records.revokeToken(userId, tokenId, actor);
  }

  /**
   * Issues an API token to the user. If `days` is 0, the token does not expire; if undefined, the
   * token expires like a login token. Throws a 422 if the label is too long, and `too many tokens`.
   */
  async issueToken(
    user: User,
    label: string,
    days: number | undefined,
    actor: Actor,
  ): Promise<IssuedToken> {
    checkLength('label', label, labelLimit);
    const lifetime = days ?? this.#tokenDays;
    const token = await this.#issue(user.id, label, 'api', lifetime, actor, null);
    return token ?? fail(notAuthenticated());
  }

  /**
   * Changes the user's own password. With `revokeOthers`, the same transaction revokes every other
   * token of the user. Throws `too many attempts`. Throws `wrong password`, which also counts as a
   * failed login.
   */
  async changePassword(
    { user, token }: Credential,
    passwords: { current: string; next: string; revokeOthers: boolean },
    actor: UserActor,
  ): Promise<void> {
    await this.#records.checkRight(actor);
    const verified = await this.#throttle.attempt(user.username, actor.address, () =>
      this.#userWithPassword(user.username, passwords.current),
    );
    if (verified === null) {
      await this.#records.checkRight(actor); // the user may have been removed meanwhile
      this.#recordFailure(user.username, actor.address);
      throw wrongPassword();
    }
    const passwordHash = await this.#passwords.hash(passwords.next);
    const others = passwords.revokeOthers && { revokeTokens: true, keepToken: token.id };
    const change = { passwordHash, formerHash: verified.passwordHash, ...others };
    const changed = await this.#records.updateUser(user.id, change, actor);
    if (changed === null) throw wrongPassword(); // the password was changed meanwhile
  }

  /**
   * Creates an admin named `admin` if there is no active admin, with this password or a generated
   * one. The result's `generated` is the generated password, or null if a password was passed.
   * Returns null if no admin was created, including when another process created one meanwhile.
   * Throws `username already exists`.
   */
  async ensureAdmin(password: string | undefined): Promise<{ generated: string | null } | null> {
    if (await this.#records.hasActiveAdmin()) return null; // avoids the slow password hash
    const generated = password ? null : newTokenValue().slice(4, 24);
    const passwordHash = await this.#passwords.hash(password || (generated ?? ''));
    const admin = { username: 'admin', passwordHash };
    const created = await this.#records.createFirstAdmin(admin, { kind: 'system' });
    return created === null ? null : { generated };
  }

  /**
   * Returns the user, or null if the user does not exist, is inactive, or the password is wrong.
   * Every case takes equally long, so that the duration does not reveal which names exist.
   */
  async #userWithPassword(username: string, password: string) {
    const user = await this.#records.findUserByName(username);
    if (user === null) {
      await this.#passwords.verifyDummy(password);
      return null;
    }
    const matches = await this.#passwords.verify(user.passwordHash, password);
    return matches && user.isActive ? user : null;
  }

  async #issue(
    userId: number,
    label: string,
    kind: Token['kind'],
    days: number,
    actor: Actor,
    login: CheckedLogin | null,
  ): Promise<IssuedToken | null> {
    const value = newTokenValue();
    const expiresAt = expiryAfter(days, this.#clock.now());
    const createdAt = this.#clock.timestamp();
    const id = await this.#records.createToken(
      { userId, hash: tokenHash(value), label, kind, createdAt, expiresAt },
      actor,
      login,
    );
    return id === null ? null : { id, value, expiresAt };
  }

  #recordFailure(username: string, address: string): void {
    const now = this.#clock.now();
    this.#records.recordFailedLogin({
      username: truncateToBytes(printable(username), usernameLimit.bytes),
      network: networkOf(address),
      at: new Date(now).toISOString(),
      windowStart: new Date(now - this.#throttle.windowMs).toISOString(),
      retainedSince: new Date(now - failureRetentionMs).toISOString(),
    });
  }

  /** Returns true if the credential is valid now, and then records that the token was used. */
  #mayUse(credential: Credential): boolean {
    if (!isLive(credential, this.#clock.now())) return false;
    this.#recordUse(credential.token);
    return true;
  }

  /**
   * Records that a token was used, at most once a minute, so that not every request causes a write.
   */
  #recordUse(token: Token): void {
    const last =
      token.lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(token.lastUsedAt);
    // A last use in the future means that the clock was set back; record the use to correct it.
    if (Math.abs(this.#clock.now() - last) < 60_000) return;
    this.#records.recordTokenUse(token.id, this.#clock.timestamp());
  }
}

function fail(error: Error): never {
  throw error;
}

/** Returns a new token value: `cat_` and 32 random bytes in base64url (docs/api/decisions.md). */
function newTokenValue(): string {
  return `cat_${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns the form in which a token is stored: the SHA-256 of its value, in lower-case hexadecimal.
 */
function tokenHash(value: string): string {
  return hash('sha256', value, 'hex');
}
